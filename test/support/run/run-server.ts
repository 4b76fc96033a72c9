import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isLeftBehind, runFolder, runProcessId, startTime } from "./run-folder.ts";

// A server that all workers of a jest run share: whoever asks first starts a keeper, a process of its own that starts the
// server, tells its address by a file, and ends with the run, however that ends.

/**
 * The address of this run's server, as `keep` in the keeper's script told it.
 * @param argument what the keeper is told
 */
export async function runServer(
  name: string,
  keeperScript: string,
  startLimitMs: number,
  argument = "",
): Promise<string> {
  const folder = await runFolder(name);
  // Only one can make the folder: that one starts the keeper.
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  // Its own process group: it ends after the run, never with it.
  const options = { detached: true, stdio: "ignore" } as const;
  if (isFirst) spawn(process.execPath, [keeperScript, folder, String(runProcessId), argument], options).unref();
  for (const until = Date.now() + startLimitMs; Date.now() < until; await delay(10)) {
    const address = await readFile(join(folder, "ready"), "utf8").catch(() => undefined);
    if (address) return address;
    const complaint = await readFile(join(folder, "failed"), "utf8").catch(() => undefined);
    if (complaint) throw new Error(`The ${name} of this test run does not start: ${complaint}`);
  }
  throw new Error(`The ${name} of this test run did not start within ${startLimitMs / 1000} s; see ${folder}`);
}

/** What a keeper's script does: `node SCRIPT FOLDER PID ARGUMENT`, the folder to keep the server's data in, the run to end with. */
export async function keep(
  start: (folder: string, argument: string) => Promise<{ address: string; stop(): Promise<void> }>,
): Promise<void> {
  const [folder = "", pid = "", argument = ""] = process.argv.slice(2);
  const runStarted = await startTime(Number(pid));
  try {
    const server = await start(folder, argument);
    await say(folder, "ready", server.address);
    await removeLeftovers(folder);
    while ((await startTime(Number(pid))) === runStarted) await delay(200);
    await server.stop();
  } catch (error) {
    await say(folder, "failed", error instanceof Error ? `${error.stack}` : `${error}`);
    // Long enough for those who wait to read it.
    await delay(2_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Written aside and renamed: whoever waits for the file reads all of it. */
async function say(folder: string, name: string, content: string): Promise<void> {
  await writeFile(join(folder, `${name}.new`), content);
  await rename(join(folder, `${name}.new`), join(folder, name));
}

/** Of runs whose keeper was killed as well. */
async function removeLeftovers(folder: string): Promise<void> {
  const siblings = await readdir(dirname(folder));
  for (const name of siblings) {
    if (name !== basename(folder) && (await isLeftBehind(name))) {
      await rm(join(dirname(folder), name), { recursive: true, force: true });
    }
  }
}
