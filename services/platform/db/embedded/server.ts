import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, programArgument, serverEnvironment } from "./cluster.ts";
import { runningPostmaster, shutDown } from "./postmaster.ts";
import { writeSettings } from "./server-settings.ts";

/** Recovery after a crash reads at most max_wal_size of log. */
const startLimitMs = 300_000;
const maxLogBytes = 10 * 1024 * 1024;

/** Starts the server of a cluster as a child in a process group of its own, and resolves once it takes connections. */
export async function startServer(cluster: Cluster, port: number): Promise<ChildProcess> {
  const data = await programArgument(cluster.dataFolder, 3);
  const log = await openLog(cluster.folder);
  const from = (await log.stat()).size;
  try {
    await writeSettings(cluster.dataFolder);
    const server = spawn(join(cluster.binaries, "bin/postgres"), ["-D", data.argument, "-p", String(port)], {
      ...cluster.account,
      env: serverEnvironment,
      // Control-C goes to the terminal's foreground group: the server has to outlive our own drain.
      detached: true,
      stdio: ["ignore", log.fd, log.fd, data.stdio],
    });
    server.unref();
    const exited = new AbortController();
    server.once("exit", (code, signal) => exited.abort(new Error(`it ended with ${code ?? signal}`)));
    server.once("error", (error) => exited.abort(error));
    if (await isReady(cluster, server, exited.signal)) return server;
    await stopServer(server);
    const { buffer, bytesRead } = await log.read({ position: from, length: 16_384 });
    const complaint = buffer.toString("utf8", 0, bytesRead).trim();
    throw new Error(`The embedded PostgreSQL does not start:\n${complaint}`, { cause: exited.signal.reason });
  } finally {
    await data.close();
    await log.close();
  }
}

async function isReady(cluster: Cluster, server: ChildProcess, exited: AbortSignal): Promise<boolean> {
  for (const until = performance.now() + startLimitMs; !exited.aborted && performance.now() < until; await delay(10)) {
    const postmaster = await runningPostmaster(cluster.dataFolder);
    if (postmaster?.pid === server.pid && postmaster?.isReady) return true;
  }
  return false;
}

/** Resolves when all its processes have ended. */
export function stopServer(server: ChildProcess): Promise<void> {
  return shutDown(
    (signal) => server.kill(signal),
    () => hasExited(server),
  );
}

/** Also of one that could not even be run. */
export function hasExited(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null;
}

/** The server's own log: a file, since the reader of a pipe may have ended. The last one is kept when it has grown large. */
async function openLog(folder: string) {
  const path = join(folder, "server.log");
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > maxLogBytes) await rename(path, `${path}.1`);
  return open(path, "a+", 0o600);
}

/** A port that is free right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port");
  return address.port;
}
