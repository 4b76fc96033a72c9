import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf, Outage } from "../../errors.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { type Cluster, removeOldSockets, serverUrl } from "./cluster.ts";
import { lockOrRefuse, Ownership } from "./ownership.ts";
import { removeStaleLock, runningPostmaster } from "./postmaster.ts";
import { freePort, hasExited, startServer, stopServer } from "./server.ts";
import { Watchdog } from "./watchdog.ts";

/**
 * Starts a server that this process owns. Undefined if another process did so at the same moment, or the last
 * server's processes are not all gone yet: look again.
 */
export async function startOwnServer(cluster: Cluster, logger: Logger): Promise<OwnServer | undefined> {
  const watchdog = new Watchdog(cluster.dataFolder);
  let child: ChildProcess | undefined;
  try {
    await removeStaleLock(cluster.dataFolder);
    const port = await freePort();
    child = await startServer(cluster, port);
    watchdog.watch(child);
    const client = await lockOrRefuse(cluster, port);
    if (!client) throw new Error("The embedded PostgreSQL ended just after its start");
    await removeOldSockets(cluster, port);
    return new OwnServer(cluster, port, child, watchdog, new Ownership(cluster, port, client), logger);
  } catch (error) {
    if (child) await stopServer(child);
    await watchdog.dismiss();
    if (await isPassing(cluster, error)) return undefined;
    throw error;
  }
}

async function isPassing(cluster: Cluster, error: unknown): Promise<boolean> {
  return (
    /Address already in use|lock file ".*" (already exists|is empty)|shared memory block .* is still in use/.test(
      messageOf(error),
    ) || (await runningPostmaster(cluster.dataFolder)) !== undefined
  );
}

/** A server that this process owns: watched, started again if it dies, stopped at the end. */
class OwnServer {
  readonly url: string;
  readonly #cluster: Cluster;
  readonly #port: number;
  readonly #watchdog: Watchdog;
  readonly #ownership: Ownership;
  readonly #logger: Logger;
  #child: ChildProcess;
  #restarting: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(
    cluster: Cluster,
    port: number,
    child: ChildProcess,
    watchdog: Watchdog,
    ownership: Ownership,
    logger: Logger,
  ) {
    this.url = serverUrl(cluster, port);
    this.#cluster = cluster;
    this.#port = port;
    this.#watchdog = watchdog;
    this.#ownership = ownership;
    this.#logger = logger;
    this.#child = child;
    this.#restartIfItDies();
  }

  /** Resolves when all its processes have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#restarting;
    await this.#ownership.release();
    await stopServer(this.#child);
    await this.#watchdog.dismiss();
  }

  #restartIfItDies(): void {
    const restart = () => {
      if (!this.#isStopping) this.#restarting = this.#restart();
    };
    if (hasExited(this.#child)) restart();
    else this.#child.once("exit", restart);
  }

  /** On the same port, where the pools look for it. */
  async #restart(): Promise<void> {
    this.#logger.error("the embedded PostgreSQL has ended by itself; starting it again");
    for (let waitMs = 100, failures = 0; !this.#isStopping; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        await removeStaleLock(this.#cluster.dataFolder);
        this.#child = await startServer(this.#cluster, this.#port);
        this.#watchdog.watch(this.#child);
        this.#restartIfItDies();
        this.#logger.info("the embedded PostgreSQL is there again");
        return;
      } catch (error) {
        failures += 1;
        const outage = new Outage("database", { cause: error });
        if (failures === 1) this.#logger.error({ err: outage }, "the embedded PostgreSQL does not start; trying again");
        await delay(waitMs);
      }
    }
  }
}
