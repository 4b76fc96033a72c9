import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A hash of everything that the built files follow from: the sources, the packages, and how they are built. */
export function sourcesFingerprint(): string {
  const hash = createHash("sha256");
  const folders = ["web", "scripts/web"].flatMap(filesUnder);
  for (const path of [...folders, "package-lock.json", "scripts/build-web.ts"].sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(folder: string): string[] {
  const dist = join(root, "web/dist");
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(dist))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
