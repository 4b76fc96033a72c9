import { EventEmitter } from "node:events";

/** Outboxes of this process that grew, by schema. */
const growth = new EventEmitter().setMaxListeners(0);

/** Says that a committed transaction of this process left events in the outbox of a schema. */
export function outboxGrew(schema: string): void {
  growth.emit(`outbox ${schema}`);
}

/** Calls `wake` whenever outboxGrew names the schema; returns the function that ends it. */
export function onOutboxGrowth(schema: string, wake: () => void): () => void {
  growth.on(`outbox ${schema}`, wake);
  return () => growth.off(`outbox ${schema}`, wake);
}

/** Where processes that share a schema tell each other: 'outbox' when it grew, 'dead' when a resend is asked for. */
export function eventsChannel(schema: string): string {
  return `${schema}.events`;
}
