import { EventEmitter } from "node:events";
import type { Database, Transaction } from "../db/types.ts";
import type { EncodedEvent } from "./types.ts";

export interface OutboxRow extends EncodedEvent {
  readonly rowId: number;
}

/** Outboxes of this process that grew, by schema. */
const growth = new EventEmitter().setMaxListeners(0);

/** Says that a committed transaction of this process left these events in the outbox of its schema. */
export function outboxGrew({ schema, database }: Transaction, rows: readonly OutboxRow[]): void {
  growth.emit(`outbox ${schema}`, database, rows);
}

/**
 * Calls `take` with what outboxGrew says of the schema; returns the function that ends it. The rows are none where they came by way of
 * another database than this one, which may be another server's.
 */
export function onOutboxGrowth(db: Database, take: (rows: readonly OutboxRow[]) => void): () => void {
  const name = `outbox ${db.schema}`;
  const listener = (database: unknown, rows: readonly OutboxRow[]) => take(database === db ? rows : []);
  growth.on(name, listener);
  return () => growth.off(name, listener);
}

/**
 * How an outbox grew: by rows of topics alone that no process hands over by itself ('bus'), or by others as well that nobody hands over ('outbox',
 * which processes of 0.1.0 always say).
 */
export type OutboxGrowth = "bus" | "outbox";

/** Where processes that share a schema tell each other how its outbox grew, and 'dead' when a resend is asked for. */
export function eventsChannel(schema: string): string {
  return `${schema}.events`;
}
