import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../scripts/peers/command.ts";
import { type Cluster, openCluster, serverUrl } from "../../../services/platform/db/embedded/cluster.ts";
import { freePort, startServer, stopServer } from "../../../services/platform/db/embedded/server.ts";
import { Watchdog } from "../../../services/platform/db/embedded/watchdog.ts";
import { processes } from "../installation/processes.ts";
import { ServiceAddress } from "../installation/service-address.ts";
import { asSuperuser } from "./database.ts";

const copyLimitMs = 60_000;

/** A PostgreSQL that a test may stop and start again; ends with the test's process. */
export interface OwnPostgres {
  /** Of a superuser. */
  readonly url: string;
  /** After `crash`: again with the same data, on the same port. */
  start(): Promise<void>;
  /** Immediate shutdown: every session is cut off, and the next start recovers from the log (PostgreSQL, 18.5). */
  crash(): Promise<void>;
  /** Stops its processes where they stand: connections stay open, and nothing is answered. @returns what has them go on */
  hang(): Promise<() => void>;
  dispose(): Promise<void>;
}

/** One with a replica that streams from it. */
export interface ReplicatedPostgres extends OwnPostgres {
  /** From now on no commit is answered before the replica has it (PostgreSQL, 26.2.8). */
  synchronise(): Promise<void>;
  /** After `crash`, for good: its replica takes its place, at the same address. */
  promote(): Promise<void>;
}

/** @param environment what the server has in its environment besides its own */
export async function ownPostgres(environment: Readonly<Record<string, string>> = {}): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-postgres-"));
  const cluster = await openCluster(dataDir);
  const binaries = await binariesUnder(environment, cluster, dataDir);
  return runOn({ ...cluster, binaries }, () => rm(dataDir, { recursive: true, force: true }));
}

/** A server by the same name that sets its environment first. */
async function binariesUnder(
  environment: Readonly<Record<string, string>>,
  cluster: Cluster,
  folder: string,
): Promise<string> {
  const variables = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
  if (variables.length === 0) return cluster.binaries;
  await mkdir(join(folder, "bin"));
  // The server's user has to get there.
  await chmod(folder, 0o711);
  const script = `#!/bin/sh\nexec env ${variables.join(" ")} ${join(cluster.binaries, "bin", "postgres")} "$@"\n`;
  await writeFile(join(folder, "bin", "postgres"), script, { mode: 0o755 });
  return folder;
}

export async function replicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "postern-postgres-"));
  const [first, second] = [join(folder, "primary"), join(folder, "replica")];
  const cluster = await openCluster(first);
  await configure(cluster, { wal_level: "replica", max_wal_senders: "10", wal_keep_size: "1GB" });
  // A copy of what no server has run on yet: the replica has all else by the stream.
  await mkdir(join(second, "postgres"), { recursive: true });
  await runCommand("cp", ["--archive", cluster.dataFolder, join(second, "postgres")], copyLimitMs);
  const primary = await runOn(cluster, async () => undefined);
  const copy = await openCluster(second);
  await configure(copy, { primary_conninfo: primary.url, wal_retrieve_retry_interval: "100ms" });
  await writeFile(join(copy.dataFolder, "standby.signal"), "");
  const replica = await runOn(copy, async () => undefined);
  const address = await ServiceAddress.open(Number(new URL(primary.url).port));
  const url = new URL(primary.url);
  url.port = String(address.port);
  return {
    ...primary,
    url: url.href,
    synchronise: async () => {
      await asSuperuser(primary.url, "alter system set synchronous_standby_names = '*'");
      await asSuperuser(primary.url, "select pg_reload_conf()");
      for (let isSynchronous = false; !isSynchronous; ) {
        const replicas = await asSuperuser(primary.url, "select from pg_stat_replication where sync_state = 'sync'");
        isSynchronous = replicas.length > 0;
      }
    },
    promote: async () => {
      await asSuperuser(replica.url, "select pg_promote()");
      address.leadTo(Number(new URL(replica.url).port));
    },
    dispose: async () => {
      await Promise.all([primary.dispose(), replica.dispose(), address.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As `alter system` does, before the first start. */
function configure(cluster: Cluster, settings: Record<string, string>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  return appendFile(join(cluster.dataFolder, "postgresql.auto.conf"), lines.join(""));
}

async function runOn(cluster: Cluster, remove: () => Promise<void>): Promise<OwnPostgres> {
  const port = await freePort();
  const watchdog = new Watchdog(cluster.dataFolder);
  let server: ChildProcess = await startServer(cluster, port);
  const url = new URL(serverUrl(cluster, port, "postgres"));
  // Over TCP, as a server of others is reached, and another server's user can.
  url.search = "";
  return {
    url: url.href,
    start: async () => {
      server = await startServer(cluster, port);
    },
    crash: async () => {
      const ended = once(server, "exit");
      server.kill("SIGQUIT");
      await ended;
    },
    hang: async () => {
      const stopped = [server.pid ?? 0];
      // First, so that it makes no more of the others.
      process.kill(server.pid ?? 0, "SIGSTOP");
      for (const { pid, workingFolder } of await processes()) {
        if (workingFolder !== cluster.dataFolder || pid === server.pid) continue;
        process.kill(pid, "SIGSTOP");
        stopped.push(pid);
      }
      return () => {
        for (const pid of stopped) process.kill(pid, "SIGCONT");
      };
    },
    dispose: async () => {
      await stopServer(server);
      await watchdog.dismiss();
      await remove();
    },
  };
}
