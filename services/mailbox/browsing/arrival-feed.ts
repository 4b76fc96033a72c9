import { Readable } from "node:stream";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** A stored email, as a line of the feed tells it. */
interface Arrival {
  ownerId: string;
  bindingId: string;
  emailId: string;
  /** Its proxy address as it was written, with a tag if it had one. */
  recipient: string;
}

/** PostgreSQL limits a NOTIFY payload to 8,000 bytes; an arrival takes about 200, with the longest address 450. */
const arrivalsPerNotify = 16;
/** Shorter than the idle timeouts of usual proxies. */
const heartbeatMs = 20_000;
const streamsPerOwner = 10;
const streamsInAll = 5_000;

/**
 * Notifies subscribers of an account of newly stored emails, whichever process stored them (LISTEN/NOTIFY). Best effort: a
 * subscriber that misses one finds it in the list.
 */
export class ArrivalFeed {
  readonly #db: Database;
  readonly #logger: Logger;
  readonly #subscribers = new Map<string, Set<Readable>>();
  #stopListening: Promise<() => Promise<void>> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(db: Database, logger: Logger) {
    this.#db = db;
    this.#logger = logger;
  }

  /** Call it after the commit: a NOTIFY inside a transaction takes a database-wide lock at commit. */
  async publish(arrivals: readonly Arrival[]): Promise<void> {
    const payloads: string[] = [];
    for (let at = 0; at < arrivals.length; at += arrivalsPerNotify)
      payloads.push(JSON.stringify(arrivals.slice(at, at + arrivalsPerNotify).map(asTold)));
    if (payloads.length === 0) return;
    try {
      await this.#db.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [
        this.#channel,
        payloads,
      ]);
    } catch (error) {
      this.#logger.warn({ err: error }, "cannot notify subscribers of new mail");
    }
  }

  /**
   * The arrivals of one account as lines of JSON, with an empty line as a heartbeat. Ends when its reader closes it.
   * @throws Refusal RateLimited when there are too many subscribers already.
   */
  async subscribe(ownerId: string): Promise<Readable> {
    await this.#listen();
    const streams = this.#subscribers.get(ownerId) ?? new Set();
    const all = [...this.#subscribers.values()].reduce((sum, { size }) => sum + size, 0);
    if (streams.size >= streamsPerOwner || all >= streamsInAll)
      throw new Refusal("RateLimited", { public: "Too many streams are open at once.", retryAfterS: 60 });
    const stream = new Readable({ read: () => undefined });
    this.#subscribers.set(ownerId, streams.add(stream));
    stream.once("close", () => {
      streams.delete(stream);
      if (streams.size === 0 && this.#subscribers.get(ownerId) === streams) this.#subscribers.delete(ownerId);
    });
    // Sends the response headers at once, not with the first arrival.
    stream.push("\n");
    return stream;
  }

  /** Ends all streams, which have no end of their own. */
  endStreams(): void {
    for (const stream of this.#all()) stream.push(null);
  }

  async stop(): Promise<void> {
    this.endStreams();
    clearInterval(this.#heartbeat);
    await (await this.#stopListening)?.();
  }

  get #channel(): string {
    return `${this.#db.schema}_arrivals`;
  }

  /** Begins with the first subscriber. */
  async #listen(): Promise<void> {
    this.#stopListening ??= this.#db.listen(this.#channel, (payload) => this.#deliver(payload));
    this.#heartbeat ??= setInterval(() => {
      for (const stream of this.#all()) stream.push("\n");
    }, heartbeatMs).unref();
    await this.#stopListening;
  }

  #deliver(payload: string | undefined): void {
    if (payload === undefined) return;
    for (const { ownerId, ...arrival } of JSON.parse(payload) as Arrival[])
      for (const stream of this.#subscribers.get(ownerId) ?? []) stream.push(`${JSON.stringify(arrival)}\n`);
  }

  #all(): Readable[] {
    return [...this.#subscribers.values()].flatMap((streams) => [...streams]);
  }
}

function asTold({ ownerId, bindingId, emailId, recipient }: Arrival): Arrival {
  return { ownerId, bindingId, emailId, recipient };
}
