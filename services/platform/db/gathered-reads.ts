import type pg from "pg";
import { type OnResult, type QueryRunner, startQuery } from "./driver-query.ts";

interface WaitingRead {
  query: pg.Query;
  onResult: OnResult;
}

/** Reads on one connection at most, since each waits for the answers before it; those beyond take another. */
const maxTogether = 8;

/**
 * Short reads that are asked for in one turn of the event loop go over one connection and in one write: a write to PostgreSQL costs as
 * much as all else that is done for a small statement. Each is a transaction of its own, so that one that fails fails alone.
 */
export class GatheredReads implements QueryRunner {
  readonly #pool: pg.Pool;
  #waiting: WaitingRead[] = [];

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  query(query: pg.Query, onResult: OnResult): void {
    // Once all that has arrived has been looked at.
    if (this.#waiting.length === 0) setImmediate(() => this.#sendAll());
    this.#waiting.push({ query, onResult });
  }

  #sendAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += maxTogether) this.#send(waiting.slice(at, at + maxTogether));
  }

  #send(reads: readonly WaitingRead[]): void {
    this.#pool.connect((error, client) => {
      if (client) sendOn(client, reads);
      else for (const { onResult } of reads) onResult(error ?? new Error("the pool gave no connection"));
    });
  }
}

function sendOn(client: pg.PoolClient, reads: readonly WaitingRead[]): void {
  let waiting = reads.length;
  let failure: Error | undefined;
  // While it is checked out the pool does not listen; a connection that is lost fails its statements as well.
  const onError = (error: Error) => {
    failure ??= error;
  };
  client.on("error", onError);
  const { stream } = (client as unknown as pg.Client).connection;
  stream.cork();
  for (const { query, onResult } of reads)
    startQuery(client, query, (error, result) => {
      failure ??= error ?? undefined;
      waiting -= 1;
      if (waiting === 0) {
        client.off("error", onError);
        client.release(failure);
      }
      onResult(error, result);
    });
  stream.uncork();
}
