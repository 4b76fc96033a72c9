import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Topic } from "../../../../proto/topics.ts";
import { recordSet } from "../../db/record-set.ts";
import type { Transaction } from "../../db/types.ts";
import { newId } from "../../ids.ts";
import { traceHeaders } from "../../telemetry/spans.ts";
import { encodePayload } from "../payloads.ts";
import type { EncodedEvent, IncomingEvent } from "../types.ts";
import { outboxGrew } from "./signals.ts";

const outboxRows = recordSet({
  eventId: "uuid",
  topic: "text",
  key: "text",
  headers: "jsonb",
  occurredAt: "timestamptz",
  payload: "bytea",
});

/** What `publish` takes. Made by `event`. */
export type OutgoingEvent = EncodedEvent;

/** Below a broker's usual limit of 1 MiB a message (message.max.bytes), beyond which an outbox would be stuck for good. */
const payloadLimitBytes = 512 * 1024;

/**
 * An event to be published: its message encoded, its key as the topic has it, in the trace of its cause or, without one,
 * of the code that makes it.
 * @throws RangeError over 512 KiB: events carry a claim check for what is large.
 */
export function event<Schema extends DescMessage>(
  topic: Topic<Schema>,
  message: MessageShape<Schema>,
  cause?: Pick<IncomingEvent<unknown>, "trace">,
): OutgoingEvent {
  const payload = encodePayload(topic.schema, message);
  if (payload.length > payloadLimitBytes) throw new RangeError(`An event of ${topic.name} has ${payload.length} bytes`);
  const headers = cause?.trace ?? traceHeaders();
  return { id: newId(), topic: topic.name, key: topic.key(message), payload, headers, occurredAt: new Date() };
}

/**
 * Publishes events if, and only if, the transaction commits; in order per key where the topic is ordered. The only way to publish.
 * Waking the relay is left to the time after the commit: a NOTIFY inside would make all commits of the server wait
 * for each other's flush (measured with 20 connections: 2,300 a second instead of 9,100).
 */
export async function publish(tx: Transaction, events: OutgoingEvent | readonly OutgoingEvent[]): Promise<void> {
  const rows = "id" in events ? [events] : events;
  if (rows.length === 0) return;
  const { rows: inserted } = await tx.query<{ rowId: number; eventId: string }>(
    `insert into outbox (${outboxRows.columns}) select * from ${outboxRows.from("event")} returning id as row_id, event_id`,
    outboxRows.params(rows.map(({ id: eventId, ...row }) => ({ eventId, ...row }))),
    { name: "outbox_insert" },
  );
  // By the events' ids: a row that went with another event's acknowledgement would be lost mail.
  const rowIds = new Map(inserted.map(({ eventId, rowId }) => [eventId, rowId]));
  const published = rows.flatMap((row) => {
    const rowId = rowIds.get(row.id);
    return rowId === undefined ? [] : [{ ...row, rowId }];
  });
  tx.afterCommit(() => outboxGrew(tx, published));
}
