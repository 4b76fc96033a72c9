import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compressFiles } from "./web/compress.ts";
import { sourcesFingerprint } from "./web/fingerprint.ts";

// npm run build:web: builds web/dist, unless it is what the sources make already. Runs before npm start as well.
const web = join(import.meta.dirname, "../web");
const dist = join(web, "dist");
const fingerprint = sourcesFingerprint();
if (!isBuiltFrom(fingerprint)) await build();

function isBuiltFrom(sources: string): boolean {
  const path = join(dist, ".fingerprint");
  return existsSync(path) && readFileSync(path, "utf8") === sources;
}

/** Beside its place first: whoever serves the files meanwhile has the former ones whole. */
async function build(): Promise<void> {
  // Of a test run it would be "test", and React its development build.
  process.env.NODE_ENV = "production";
  // Only here: loading it takes longer than finding that there is nothing to build.
  const vite = await import("vite");
  const aside = mkdtempSync(`${dist}-`);
  try {
    await vite.build({ configFile: join(web, "vite.config.ts"), build: { outDir: aside, emptyOutDir: true } });
    await compressFiles(aside);
    writeFileSync(join(aside, ".fingerprint"), fingerprint);
    putInPlace(aside);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Of two that build the same at once, one is faster, and enough. */
function putInPlace(aside: string): void {
  if (isBuiltFrom(fingerprint)) return;
  try {
    rmSync(dist, { recursive: true, force: true });
    renameSync(aside, dist);
  } catch (error) {
    if (!isBuiltFrom(fingerprint)) throw error;
  }
}
