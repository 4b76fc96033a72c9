import { writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type Plugin, type PreRenderedChunk, rolldown } from "rolldown";
import { externalPackages } from "./external-packages.ts";

const root = join(import.meta.dirname, "../..");

/** What processes start with, by the name of its file in the bundle. */
const entries: Readonly<Record<string, string>> = {
  main: "services/main.ts",
  admin: "services/admin.ts",
  health: "scripts/image/health.ts",
  "apollo-worker": "gateway/graph/apollo-worker.ts",
  "signing-worker": "services/forwarder/signing/signing-worker.ts",
  "content-worker": "services/mailbox/workers/content-worker.ts",
};

const external = [
  ...externalPackages.map((name) => new RegExp(`^${name}(/|$)`)),
  // Named by pg and ws, and not there.
  "pg-native",
  "bufferutil",
  "utf-8-validate",
];

/**
 * What libraries load as they start and never call here, by who asks for what. It was nearly half of what Apollo's thread loaded.
 * Reaching for anything in it throws.
 */
const uncalled: readonly { from: RegExp; name: RegExp }[] = [
  // For telemetry to Apollo, which gateway/graph/server.ts turns off.
  {
    from: /@apollo\/gateway\//,
    name: /^@opentelemetry\/(exporter-metrics-otlp-http|sdk-metrics|resource-detector-[\w-]+)$/,
  },
  // The supergraph is composed when it is committed.
  { from: /@apollo\/gateway\//, name: /^@apollo\/composition$/ },
  { from: /@apollo\/query-graphs\//, name: /^ts-graphviz$/ },
  // For a Node without a URL.
  { from: /node-fetch\//, name: /^whatwg-url$/ },
];

/** A file of the bundle, what it cannot be loaded without (other files, packages that are not bundled, modules of Node), and what it is made from: paths in the repository. */
export interface BundledFile {
  readonly fileName: string;
  readonly imports: readonly string[];
  readonly sources: readonly string[];
}

/** An array of `BundledFile`. */
export const contentsFile = "contents.json";

const uncalledId = "\0uncalled";
const uncalledCode = `module.exports = new Proxy({}, {
  get(_, name) {
    if (name === "__esModule" || typeof name === "symbol") return undefined;
    throw new Error("left out of the bundle (scripts/services/bundle.ts): " + name);
  },
});`;

const leaveOutUncalled: Plugin = {
  name: "leave-out-uncalled",
  resolveId: (id, importer = "") =>
    uncalled.some(
      ({ from, name }) => from.test(importer.slice(importer.lastIndexOf("/node_modules/"))) && name.test(id),
    )
      ? uncalledId
      : null,
  load: (id) => (id === uncalledId ? uncalledCode : null),
};

/** Our files find others by their own place: migrations, schemas, texts. A bundle's file stands elsewhere. */
const keepPlaces: Plugin = {
  name: "keep-places",
  transform(code, id) {
    if (!id.startsWith(root) || id.includes("/node_modules/") || !code.includes("import.meta")) return null;
    const path = relative(root, id);
    return code
      .split(/(new URL\("\.\/[\w-]+\.ts", import\.meta\.url\)|import\.meta\.(?:url|dirname))/)
      .map((part) => {
        if (part === "import.meta.url") return `new URL(${JSON.stringify(`../${path}`)}, import.meta.url).href`;
        if (part === "import.meta.dirname") return `(import.meta.dirname + ${JSON.stringify(`/../${dirname(path)}`)})`;
        const entry = /^new URL\("\.\/([\w-]+)\.ts"/.exec(part)?.[1];
        if (entry === undefined) return part;
        if (!entries[entry]) throw new Error(`${path}: ${entry} is no entry of the bundle`);
        return `new URL("./${entry}.js", import.meta.url)`;
      })
      .join("");
  },
};

/** What begins with forwarder/module.ts is called forwarder. */
function chunkName({ facadeModuleId, name }: PreRenderedChunk): string {
  const told = facadeModuleId && name === "module" ? basename(dirname(facadeModuleId)) : name;
  return `${told}-[hash].js`;
}

/**
 * Puts the services, the gateway and their libraries into one folder, a file for each part that some processes load and others do not.
 * A process then starts with 58 % of the CPU that it takes from 2,000 files of TypeScript, and holds 49 MiB less: no types, no comments,
 * one byte a letter, nothing of `uncalled`.
 * @param folder absolute; its place in the repository has to be as deep as dist
 */
export async function bundleServices(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: { ...entries },
    platform: "node",
    external,
    plugins: [leaveOutUncalled, keepPlaces],
    onLog: (level, log, say) => {
      // Libraries have their reasons; of ours, a warning is a fault.
      if (!log.id?.includes("/node_modules/") && level === "warn") throw new Error(log.message);
      if (level !== "warn") say(level, log);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: chunkName,
    comments: { legal: true, annotation: false, jsdoc: false },
    // Lines and names stay, for who reads a stack. A text with one letter beyond Latin-1 takes V8 twice the memory.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  });
  await bundle.close();
  const parts = output.filter((file) => file.type === "chunk");
  const contents: BundledFile[] = parts.map(({ fileName, imports, moduleIds }) => ({
    fileName,
    imports,
    sources: moduleIds.map((id) => relative(root, id)),
  }));
  writeFileSync(join(folder, contentsFile), JSON.stringify(contents, undefined, 1));
}
