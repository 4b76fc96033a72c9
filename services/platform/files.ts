import { access, mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { unusableDataDir } from "./errors.ts";

/** Whether there is a file or folder at a path, as far as this process may see. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Makes a folder and those above it that are missing, each with `mode`. Not by mkdir's own `recursive`, which never ends where the system
 * says ENOENT of a folder whose parent is there, as under /proc.
 * @throws what the system says of the first that cannot be made
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(resolve(path));
  if (!(await exists(above))) await makeFolder(above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Somebody else may have made it at the same moment.
    if (!(await isFolder(path))) throw error;
  }
}

/** The same of a folder that DATA_DIR names, or of one in it. @throws ConfigurationError */
export async function makeDataFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeFolder(path, mode);
  } catch (error) {
    throw unusableDataDir(error);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
