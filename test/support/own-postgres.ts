import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster, serverUrl } from "../../services/platform/db/embedded/cluster.ts";
import { freePort, startServer, stopServer } from "../../services/platform/db/embedded/server.ts";
import { Watchdog } from "../../services/platform/db/embedded/watchdog.ts";

/** A PostgreSQL that a test may stop and start again; ends with the test's process. */
export interface OwnPostgres {
  /** Of a superuser. */
  readonly url: string;
  /** After `crash`: again with the same data, on the same port. */
  start(): Promise<void>;
  /** Immediate shutdown: every session is cut off, and the next start recovers from the log (PostgreSQL, 18.5). */
  crash(): Promise<void>;
  dispose(): Promise<void>;
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-postgres-"));
  const cluster = await openCluster(dataDir);
  const port = await freePort();
  const watchdog = new Watchdog(cluster.dataFolder);
  let server: ChildProcess = await startServer(cluster, port);
  return {
    url: serverUrl(cluster, port, "postgres"),
    start: async () => {
      server = await startServer(cluster, port);
    },
    crash: async () => {
      const ended = once(server, "exit");
      server.kill("SIGQUIT");
      await ended;
    },
    dispose: async () => {
      await stopServer(server);
      await watchdog.dismiss();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
