import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../telemetry/logger.ts";
import { type ConnectionSettings, closeClient, keepAlive, newClient } from "./connection.ts";

type OnNotify = (payload: string | undefined) => void;

const heartbeatMs = 15_000;
const firstRetryMs = 100;
const maxRetryMs = 5_000;

/** One connection for all channels that a database listens to; it is made with the first and remade whenever it is lost. */
export class Listener {
  readonly #settings: ConnectionSettings;
  readonly #logger: Logger;
  readonly #channels = new Map<string, Set<OnNotify>>();
  readonly #closed = new AbortController();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;

  constructor(settings: ConnectionSettings, logger: Logger) {
    this.#settings = { ...settings, statementTimeoutMs: 5_000 };
    this.#logger = logger;
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
      await this.#connectOnce(isFirst, onTried).catch((error) => {
        this.#logger.warn({ err: error }, "cannot listen to the database; trying again");
      });
      onTried();
      retryMs = performance.now() - startedAt > maxRetryMs ? firstRetryMs : Math.min(retryMs * 2, maxRetryMs);
      await delay(retryMs, undefined, { signal: this.#closed.signal }).catch(() => undefined);
    }
  }

  /** Connects, listens, and resolves once the connection has ended. */
  async #connectOnce(isFirst: boolean, onListening: () => void): Promise<void> {
    const client = newClient(this.#settings);
    const gone = new Promise<void>((resolve) => client.once("end", resolve));
    const closing = this.#closed.signal;
    const close = () => void closeClient(client);
    closing.addEventListener("abort", close, { once: true });
    client.on("error", (error) => this.#logger.warn({ err: error }, "lost the LISTEN connection"));
    client.on("notification", ({ channel, payload }) => this.#tell(channel, payload ?? ""));
    try {
      await client.connect();
      this.#client = client;
      for (const channel of this.#channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onListening();
      if (!isFirst) for (const channel of this.#channels.keys()) this.#tell(channel, undefined);
      const endHeartbeat = keepAlive(client, heartbeatMs);
      await gone.finally(endHeartbeat);
    } finally {
      this.#client = undefined;
      closing.removeEventListener("abort", close);
      await closeClient(client);
    }
  }

  #tell(channel: string, payload: string | undefined): void {
    for (const onNotify of this.#channels.get(channel) ?? []) onNotify(payload);
  }
}
