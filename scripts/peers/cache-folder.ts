import { homedir } from "node:os";
import { join } from "node:path";

/** A folder, one per machine, of what is fetched, built or kept once for all checkouts. */
export function cacheFolder(name: string): string {
  return join(homedir(), ".cache", "postern", name);
}
