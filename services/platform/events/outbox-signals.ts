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

/** Where processes that share a schema tell each other that its outbox grew (`growthPayload`), and 'dead' when a resend is asked for. */
export function eventsChannel(schema: string): string {
  return `${schema}.events`;
}

/** Instead of a topic: rows of whichever. */
export const everyTopic = "*";

/** Of rows of these topics, which their process does not hand over itself. Those of 0.1.0 say it without topics. */
export function growthPayload(topics: ReadonlySet<string>): string {
  return topics.has(everyTopic) ? "outbox" : `outbox ${[...topics].join(",")}`;
}

/** The topics that a payload is about: none where it does not say that the outbox grew. */
export function topicsOfGrowth(payload: string): readonly string[] {
  return payload === "outbox" ? [everyTopic] : (/^outbox (.+)$/.exec(payload)?.[1]?.split(",") ?? []);
}
