import type { Database, Transaction } from "../../db/types.ts";
import type { OutboxRow } from "../types.ts";

/** Who is told that an outbox grew, by the database that this process has open for it. */
const takers = new WeakMap<Database, Set<(rows: readonly OutboxRow[]) => void>>();

/** Says that a committed transaction of this process left these events in the outbox of its database. */
export function outboxGrew({ database }: Transaction, rows: readonly OutboxRow[]): void {
  for (const take of takers.get(database) ?? []) take(rows);
}

/** Calls `take` with what outboxGrew says of the database; returns the function that ends it. */
export function onOutboxGrowth(db: Database, take: (rows: readonly OutboxRow[]) => void): () => void {
  const taking = takers.get(db) ?? new Set();
  takers.set(db, taking.add(take));
  return () => void taking.delete(take);
}

/** Where processes that share a schema tell each other that its outbox grew (`growthPayload`), and 'dead' when a resend is asked for. */
export function eventsChannel(schema: string): string {
  return `${schema}.events`;
}

/** Instead of a topic: rows of whichever. */
export const everyTopic = "*";

/** Of rows of these topics, which their process does not hand over itself. Processes of 0.1.0 send no topics. */
export function growthPayload(topics: ReadonlySet<string>): string {
  return `outbox ${[...topics].join(",")}`;
}

/** The topics that a payload is about: none where it does not say that the outbox grew. */
export function topicsOfGrowth(payload: string): readonly string[] {
  return payload === "outbox" ? [everyTopic] : (/^outbox (.+)$/.exec(payload)?.[1]?.split(",") ?? []);
}
