import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { aborted } from "../concurrency/aborted.ts";
import { OutageLog } from "../concurrency/outage-log.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { SharedDatabaseSession } from "./shared-session.ts";

type OnNotify = (payload: string | undefined) => void;

const firstRetryMs = 100;
const maxRetryMs = 5_000;

/** Listens to all channels of a database on its session, from the first channel on and again whenever that is lost. */
export class Listener {
  readonly #sharedSession: SharedDatabaseSession;
  readonly #outage: OutageLog;
  readonly #channels = new Map<string, Set<OnNotify>>();
  readonly #closed = new AbortController();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;

  constructor(sharedSession: SharedDatabaseSession, logger: Logger) {
    this.#sharedSession = sharedSession;
    const [lost, back] = ["cannot listen to the database, trying again", "listening to the database again"];
    this.#outage = new OutageLog({ logger, lost, back });
  }

  async listen(channel: string, onNotify: OnNotify): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners.add(onNotify));
    if (this.#running !== undefined) await this.#send("listen", channel);
    else {
      const tried = Promise.withResolvers<void>();
      this.#running = this.#stayConnected(tried.resolve);
      await tried.promise;
    }
    return async () => {
      listeners.delete(onNotify);
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
      this.#channels.delete(channel);
      await this.#send("unlisten", channel);
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
  }

  /** While there is no connection, or if it is lost over this, the next one listens to what is then in #channels. */
  async #send(command: "listen" | "unlisten", channel: string): Promise<void> {
    await this.#client?.query(`${command} ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
  }

  async #stayConnected(onTried: () => void): Promise<void> {
    let retryMs = firstRetryMs;
    for (let isFirst = true; !this.#closed.signal.aborted; isFirst = false) {
      const startedAt = performance.now();
      await this.#listenOnce(isFirst, onTried).catch((error) => this.#outage.met(error));
      onTried();
      retryMs = performance.now() - startedAt > maxRetryMs ? firstRetryMs : Math.min(retryMs * 2, maxRetryMs);
      await delay(retryMs, undefined, { signal: this.#closed.signal }).catch(() => undefined);
    }
  }

  /** Joins the session, listens, and resolves once that has ended. */
  async #listenOnce(isFirst: boolean, onListening: () => void): Promise<void> {
    await this.#sharedSession.use(async ({ client, lost }) => {
      const tell = ({ channel, payload }: pg.Notification) => this.#tell(channel, payload ?? "");
      client.on("notification", tell);
      this.#client = client;
      try {
        for (const channel of this.#channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        this.#outage.over();
        onListening();
        if (!isFirst) for (const channel of this.#channels.keys()) this.#tell(channel, undefined);
        await aborted(AbortSignal.any([lost, this.#closed.signal]));
        if (lost.aborted) this.#outage.met(lost.reason);
      } finally {
        this.#client = undefined;
        client.off("notification", tell);
      }
    });
  }

  #tell(channel: string, payload: string | undefined): void {
    for (const onNotify of this.#channels.get(channel) ?? []) onNotify(payload);
  }
}
