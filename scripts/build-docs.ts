import { join } from "node:path";
import { buildFolder, fingerprintOf } from "./built-folder.ts";
import { compressFiles } from "./web/compress.ts";

// npm run build:docs: makes docs/dist, the pages at /docs, of docs/*.md, unless it is what they make already. Runs before npm start as well.
const dist = join(import.meta.dirname, "../docs/dist");
const made = ["docs", "scripts/docs", "scripts/web", "web/src/styles/tokens.css", "scripts/build-docs.ts"];
const sources = fingerprintOf(made, (path) => path.startsWith("docs/dist"));
await buildFolder(dist, sources, async (aside) => {
  // Only here: loading it takes longer than finding that there is nothing to build.
  const { writeSite } = await import("./docs/site.ts");
  writeSite(aside);
  await compressFiles(aside);
});
