import { defineConfig } from "vite";

/** web/dist: index.html, and under assets/ files whose names change with their content. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  build: {
    target: "es2022",
    // No file becomes a data: URL: the content security policy has none but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Each file costs its headers: what comes at first anyway is one.
            { name: "first", tags: ["$initial"] },
            { name: "parts", test: /src.parts|lucide-react/, minShareCount: 2 },
          ],
        },
      },
      // How long which plugin took is nobody's business who starts the service.
      checks: { pluginTimings: false },
      // Libraries mark what runs in browsers alone for servers that render React; there is none here.
      onLog: (level, log, pass) => log.code !== "MODULE_LEVEL_DIRECTIVE" && pass(level, log),
    },
  },
});
