import type { Socket } from "node:net";
import type pg from "pg";

/** What the driver's typings leave out. */
interface WatchedClient extends pg.Client {
  /** False while a statement waits for its answer. */
  readonly readyForQuery: boolean;
}

interface SilenceOptions {
  /** How long a statement may wait for its answer from a server that is there. */
  limitMs: number;
  /** Whether the server does not answer who connects. */
  isAbsent(): Promise<boolean>;
}

/** How often connections are looked at. */
const lookMs = 1_000;

/** After how long without any answer, while one is waited for, the server is asked whether it is there. */
const patienceMs = 2_000;

/** How long the answer to that is good. */
const trustMs = 5_000;

/**
 * Closes connections of a pool on which a statement has waited longer than `limitMs` for its answer, and two seconds more at most: a server
 * may disappear without closing anything. Where all of them have been silent for some seconds and the server does not answer a new
 * connection either, it closes them then: who waits behind them is told in time, and a long statement on a server that is well goes on.
 * All that waits on such a connection fails as on any that is lost.
 *
 * The driver can do that (`query_timeout`), by a timer and closures for each statement. They kept each answer alive until V8 next went
 * through the whole heap, which made a statement of 20 rows a quarter dearer.
 */
export class SilenceWatch {
  readonly #options: SilenceOptions;
  /** By connection: since when it was seen to wait; undefined where it has answered since. */
  readonly #waitsSince = new Map<WatchedClient, number | undefined>();
  readonly #timer: NodeJS.Timeout;
  #answeredAt = 0;
  /** Before which the server is not asked (again). */
  #asksAt = 0;

  constructor(pool: pg.Pool, options: SilenceOptions) {
    this.#options = options;
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
      this.#answeredAt = performance.now();
      if (this.#waitsSince.get(client) !== undefined) this.#waitsSince.set(client, undefined);
    });
  }

  #look(): void {
    const now = performance.now();
    let longestMs = 0;
    for (const [client, since] of this.#waitsSince) {
      if (client.readyForQuery) continue;
      if (since === undefined) this.#waitsSince.set(client, now);
      else if (now - since > this.#options.limitMs) client.connection.stream.destroy();
      else longestMs = Math.max(longestMs, now - since);
    }
    if (now > this.#asksAt && Math.min(longestMs, now - this.#answeredAt) > patienceMs) void this.#ask(now);
  }

  async #ask(asked: number): Promise<void> {
    this.#asksAt = Number.POSITIVE_INFINITY;
    const silent = [...this.#waitsSince].flatMap(([{ connection }, since]) => {
      const stream = connection.stream as Socket;
      return since === undefined ? [] : [{ stream, readBytes: stream.bytesRead }];
    });
    // A fault of our own says nothing of the server.
    const isAbsent = await this.#options.isAbsent().catch(() => false);
    this.#asksAt = performance.now() + (isAbsent ? 0 : trustMs);
    if (!isAbsent || this.#answeredAt > asked) return;
    // Rows may have come of a long answer.
    if (silent.some(({ stream, readBytes }) => stream.bytesRead > readBytes)) return;
    for (const { stream } of silent) stream.destroy();
  }
}
