import { setTimeout as delay } from "node:timers/promises";
import { Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { closeClient, isTimeout, newClient } from "./connection.ts";
import { type Cluster, openCluster, serverUrl } from "./embedded/cluster.ts";
import { startOwnServer } from "./embedded/own-server.ts";
import { lockOrRefuse } from "./embedded/ownership.ts";
import { type Postmaster, runningPostmaster, stopPostmaster } from "./embedded/postmaster.ts";

interface EmbeddedPostgresSettings {
  /** The server's files are in its folder "postgres". */
  dataDir: string;
  logger: Logger;
  /** Use the server that another process runs on this folder, and leave it to that; start one only if there is none. */
  adopt?: boolean;
}

export interface EmbeddedPostgres {
  /** The URL of a superuser, from which schemas and roles are made. */
  url: string;
  stop(): Promise<void>;
}

/** How long a server that another process is starting or stopping is waited for. */
const settleLimitMs = 60_000;
/** A server this young belongs to the process that has started it and is about to lock it. */
const lockGraceMs = 3_000;

/**
 * Starts the PostgreSQL that comes with this program, on DATA_DIR/postgres. It ends with `stop`. If this process is
 * killed its watchdog stops it, and if that is killed too the next start does. If it dies, it is started again.
 * @throws ConfigurationError if another process runs on this folder; Outage if its server is to be used and takes no connection.
 */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(settings.dataDir);
  for (const until = performance.now() + settleLimitMs; performance.now() < until; await delay(50)) {
    const running = await runningPostmaster(cluster.dataFolder);
    if (running && settings.adopt) {
      const url = await urlOf(cluster, running);
      if (url) return { url, stop: async () => undefined };
    } else if (running) {
      await stopOrphan(cluster, running);
    } else {
      const server = await startOwnServer(cluster, settings.logger);
      if (server) return server;
    }
  }
  throw new Outage("database", { operator: `the server on ${cluster.folder} neither starts nor stops` });
}

/**
 * The URL of a server that takes connections; undefined while it refuses them, as it does when it starts, stops or recovers.
 * @throws Outage of one that says nothing: it is frozen or overwhelmed, and may stay so
 */
async function urlOf(cluster: Cluster, { pid, port, isReady }: Postmaster): Promise<string | undefined> {
  if (!isReady) return undefined;
  const url = serverUrl(cluster, port);
  const outcome = await connect(url);
  if (outcome === "silence")
    throw new Outage("database", { operator: `process ${pid}, the server on ${cluster.folder}, takes no connection` });
  return outcome === "connected" ? url : undefined;
}

async function connect(url: string): Promise<"connected" | "refused" | "silence"> {
  const client = newClient({ url });
  client.on("error", () => client.end());
  const outcome = await client.connect().then(
    () => "connected" as const,
    (error) => (isTimeout(error) ? "silence" : "refused"),
  );
  await closeClient(client);
  return outcome;
}

/** Stops a server whose owner has ended; one that does not answer is on its way, up or down, and is looked at again. */
async function stopOrphan(cluster: Cluster, { pid, port, startedAt }: Postmaster): Promise<void> {
  const isAboutToBeLocked = Date.now() - startedAt.getTime() < lockGraceMs;
  const client = isAboutToBeLocked ? undefined : await lockOrRefuse(cluster, port);
  if (!client) return;
  await stopPostmaster(cluster.dataFolder, pid);
  await closeClient(client);
}
