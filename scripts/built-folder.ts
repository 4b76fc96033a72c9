import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..");

/** A hash of files and of all that is in folders, given as paths in the repository. @param left what is no source, by its path */
export function fingerprintOf(paths: readonly string[], left: (path: string) => boolean): string {
  const hash = createHash("sha256");
  for (const path of paths
    .flatMap((each) => filesUnder(each))
    .filter((each) => !left(each))
    .sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/**
 * Builds a folder, unless it is what its sources make already. Beside its place first: whoever serves the files meanwhile has the
 * former ones whole.
 */
export async function buildFolder(
  dist: string,
  sources: string,
  build: (aside: string) => Promise<void>,
): Promise<void> {
  if (isBuiltFrom(dist, sources)) return;
  const aside = mkdtempSync(`${dist}-`);
  try {
    await build(aside);
    writeFileSync(join(aside, ".fingerprint"), sources);
    // A temporary folder is its maker's alone; in an image another user serves this one.
    chmodSync(aside, 0o755);
    putInPlace(aside, dist, sources);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Whether a folder is what these sources make. */
export function isBuiltFrom(dist: string, sources: string): boolean {
  const path = join(dist, ".fingerprint");
  return existsSync(path) && readFileSync(path, "utf8") === sources;
}

/** Of two that build the same at once, one is faster, and enough. */
function putInPlace(aside: string, dist: string, sources: string): void {
  if (isBuiltFrom(dist, sources)) return;
  try {
    rmSync(dist, { recursive: true, force: true });
    renameSync(aside, dist);
  } catch (error) {
    if (!isBuiltFrom(dist, sources)) throw error;
  }
}
