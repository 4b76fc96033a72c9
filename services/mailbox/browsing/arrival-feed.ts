import { Readable } from "node:stream";
import type { Database } from "../../platform/db/types.ts";
import { messageOf, Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** A line of the stream: this email can be read from now on. */
export interface Arrival {
  ownerId: string;
  bindingId: string;
  emailId: string;
}

/** A payload of NOTIFY is below 8,000 bytes; an arrival takes about 150. */
const perNotice = 40;
/** Shorter than any idle timeout on the way. */
const heartbeatMs = 20_000;
const streamsPerOwner = 10;
const streamsInAll = 5_000;

/** Tells whoever watches an account's inboxes what has arrived, whichever process has stored it. Best effort: who misses it reads the list. */
export class Arrivals {
  readonly #db: Database;
  readonly #logger: Logger;
  readonly #watching = new Map<string, Set<Readable>>();
  #stopListening: Promise<() => Promise<void>> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(db: Database, logger: Logger) {
    this.#db = db;
    this.#logger = logger;
  }

  /** Says what was stored, after it was: a NOTIFY within the transaction would make all commits wait for each other. */
  async announce(arrivals: readonly Arrival[]): Promise<void> {
    const payloads: string[] = [];
    for (let at = 0; at < arrivals.length; at += perNotice)
      payloads.push(JSON.stringify(arrivals.slice(at, at + perNotice).map(bare)));
    if (payloads.length === 0) return;
    try {
      await this.#db.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [
        this.#channel,
        payloads,
      ]);
    } catch (error) {
      this.#logger.warn({ err: error }, `nobody was told of new mail: ${messageOf(error)}`);
    }
  }

  /**
   * Arrivals of one account as lines of JSON, with an empty line now and then as a sign of life; ends when its reader leaves.
   * @throws Refusal RateLimited when too many watch already.
   */
  async watch(ownerId: string): Promise<Readable> {
    await this.#listen();
    const watching = this.#watching.get(ownerId) ?? new Set();
    const all = [...this.#watching.values()].reduce((sum, { size }) => sum + size, 0);
    if (watching.size >= streamsPerOwner || all >= streamsInAll)
      throw new Refusal("RateLimited", { public: "Too many are watching at once.", retryAfterS: 60 });
    const stream = new Readable({ read: () => undefined });
    this.#watching.set(ownerId, watching.add(stream));
    stream.once("close", () => {
      watching.delete(stream);
      if (watching.size === 0 && this.#watching.get(ownerId) === watching) this.#watching.delete(ownerId);
    });
    // The answer begins at once, not with the first mail.
    stream.push("\n");
    return stream;
  }

  /** Ends all streams: they would never end by themselves. */
  end(): void {
    for (const stream of this.#all()) stream.push(null);
  }

  async stop(): Promise<void> {
    this.end();
    clearInterval(this.#heartbeat);
    await (await this.#stopListening)?.();
  }

  get #channel(): string {
    return `${this.#db.schema}_arrivals`;
  }

  /** The first who watches makes it listen. */
  async #listen(): Promise<void> {
    this.#stopListening ??= this.#db.listen(this.#channel, (payload) => this.#tell(payload));
    this.#heartbeat ??= setInterval(() => {
      for (const stream of this.#all()) stream.push("\n");
    }, heartbeatMs).unref();
    await this.#stopListening;
  }

  #tell(payload: string | undefined): void {
    if (payload === undefined) return;
    for (const { ownerId, ...arrival } of JSON.parse(payload) as Arrival[])
      for (const stream of this.#watching.get(ownerId) ?? []) stream.push(`${JSON.stringify(arrival)}\n`);
  }

  #all(): Readable[] {
    return [...this.#watching.values()].flatMap((streams) => [...streams]);
  }
}

/** Its ids and no more. */
function bare({ ownerId, bindingId, emailId }: Arrival): Arrival {
  return { ownerId, bindingId, emailId };
}
