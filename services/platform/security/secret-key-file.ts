import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCluster } from "../db/embedded/cluster.ts";
import { ConfigurationError, errorCode, unusableDataDir } from "../errors.ts";
import { exists, makeFolder } from "../files.ts";

/** The key kept under DATA_DIR; made at the first start, readable by its owner alone. @throws ConfigurationError */
export async function secretKeyUnder(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret-key");
  // In this order: whoever starts at the same moment makes the key first.
  if ((await hasCluster(dataDir)) && !(await exists(path)))
    throw new ConfigurationError([
      `SECRET_KEY: ${path} is missing, and the database there was made with a key: put the file back from a copy or a backup, or set SECRET_KEY to what it held`,
    ]);
  const key = await madeOnce(path, dataDir);
  if (key === "")
    throw new ConfigurationError([
      `SECRET_KEY: ${path} is empty: put back what it held, or remove it where nothing is kept yet`,
    ]);
  return key;
}

async function madeOnce(path: string, dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir);
    if (!(await exists(path))) await make(path);
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    throw unusableDataDir(error);
  }
}

/** Made aside and linked: there is a whole key or none, and of several that are made at the same moment the first stays. */
async function make(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(aside, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true });
    await link(aside, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
