import type pg from "pg";
import { Outage } from "../errors.ts";
import { type ConnectionSettings, closeClient, keepAlive, newClient } from "./connection.ts";
import { translateError } from "./errors.ts";

/** How often a session is asked whether it still lives, and how long it may take to answer. */
const heartbeatMs = 5_000;

/** A connection for what ends with it: the advisory locks it holds and the channels it listens to. */
export interface Session {
  readonly client: pg.Client;
  /** Aborted, by an Outage, when the connection has ended: its locks are free then, and its notifications missed. */
  readonly lost: AbortSignal;
  /** The locks of the connection: PostgreSQL grants one to the session that holds it as often as it asks. */
  readonly locks: Set<string>;
}

interface OpenSession {
  readonly opening: Promise<Session>;
  userCount: number;
}

/**
 * One session of a database for all who need one, of whichever schema: each idle connection costs PostgreSQL more than a megabyte. It is
 * made when the first joins, again after it was lost, and closed when the last has left.
 */
export class SharedDatabaseSession {
  readonly #settings: ConnectionSettings;
  #shared: OpenSession | undefined;

  constructor(settings: ConnectionSettings) {
    this.#settings = { ...settings, statementTimeoutMs: heartbeatMs };
  }

  /** Runs with the session; rejects with Outage if it cannot be opened. */
  async use<T>(run: (session: Session) => Promise<T>): Promise<T> {
    this.#shared ??= this.#share();
    const shared = this.#shared;
    shared.userCount++;
    try {
      return await run(await shared.opening);
    } finally {
      if (--shared.userCount === 0) await this.#close(shared);
    }
  }

  #share(): OpenSession {
    const client = newClient(this.#settings);
    const lost = new AbortController();
    const shared = { opening: open(client, lost), userCount: 0 };
    // Who comes after that gets another.
    const forget = () => {
      if (this.#shared === shared) this.#shared = undefined;
    };
    lost.signal.addEventListener("abort", forget, { once: true });
    return shared;
  }

  async #close(shared: OpenSession): Promise<void> {
    if (this.#shared === shared) this.#shared = undefined;
    await shared.opening.then(({ client }) => closeClient(client)).catch(() => undefined);
  }
}

async function open(client: pg.Client, lost: AbortController): Promise<Session> {
  const lose = (cause?: unknown) =>
    lost.abort(new Outage("database", { cause, operator: "the connection with the locks and LISTEN was lost" }));
  client.on("error", lose);
  client.on("end", () => lose());
  try {
    await client.connect();
  } catch (error) {
    lose(error);
    await closeClient(client);
    throw translateError(error);
  }
  lost.signal.addEventListener("abort", keepAlive(client, heartbeatMs), { once: true });
  return { client, lost: lost.signal, locks: new Set() };
}
