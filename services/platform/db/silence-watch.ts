import type pg from "pg";

/** What the driver's typings leave out. */
interface WatchedClient extends pg.Client {
  /** False while a statement waits for its answer. */
  readonly readyForQuery: boolean;
}

/** How often connections are looked at. */
const lookMs = 1_000;

/**
 * Closes connections of a pool on which a statement has waited longer than `limitMs` for its answer, and two seconds more at most: a server
 * may disappear without closing anything. All that waits on such a connection fails as on any that is lost.
 *
 * The driver can do that (`query_timeout`), by a timer and closures for each statement. They kept each answer alive until V8 next went
 * through the whole heap, which made a statement of 20 rows a quarter dearer.
 */
export class SilenceWatch {
  readonly #limitMs: number;
  /** By connection: since when it was seen to wait; undefined where it has answered since. */
  readonly #waitsSince = new Map<WatchedClient, number | undefined>();
  readonly #timer: NodeJS.Timeout;

  constructor(pool: pg.Pool, limitMs: number) {
    this.#limitMs = limitMs;
    pool.on("connect", (client) => this.#watch(client as unknown as WatchedClient));
    pool.on("remove", (client) => this.#waitsSince.delete(client as unknown as WatchedClient));
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #watch(client: WatchedClient): void {
    this.#waitsSince.set(client, undefined);
    client.connection.on("readyForQuery", () => {
      if (this.#waitsSince.get(client) !== undefined) this.#waitsSince.set(client, undefined);
    });
  }

  #look(): void {
    const now = performance.now();
    for (const [client, since] of this.#waitsSince) {
      if (client.readyForQuery) continue;
      if (since === undefined) this.#waitsSince.set(client, now);
      else if (now - since > this.#limitMs) client.connection.stream.destroy();
    }
  }
}
