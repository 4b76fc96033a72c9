import { join } from "node:path";
import { buildFolder, fingerprintOf } from "./built-folder.ts";
import { compressFiles } from "./web/compress.ts";

// npm run build:web: builds web/dist, unless it is what the sources make already. Runs before npm start as well.
const web = join(import.meta.dirname, "../web");
const sources = fingerprintOf(["web", "scripts/web", "package-lock.json", "scripts/build-web.ts"], (path) =>
  path.startsWith("web/dist"),
);
await buildFolder(join(web, "dist"), sources, async (aside) => {
  // Of a test run it would be "test", and React its development build.
  process.env.NODE_ENV = "production";
  // Only here: loading it takes longer than finding that there is nothing to build.
  const vite = await import("vite");
  await vite.build({ configFile: join(web, "vite.config.ts"), build: { outDir: aside, emptyOutDir: true } });
  await compressFiles(aside);
});
