import { v5 } from "uuid";
import { isId } from "../../ids.ts";
import type { EncodedEvent } from "../types.ts";

/** A record as a client of Kafka has it. */
export interface StoredRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly offset: string;
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;
  /** When it was stored: milliseconds since the epoch. */
  readonly timestamp: string;
}

/** The id's and time's headers; all others are the trace. */
const idHeader = "event-id";
const timeHeader = "occurred-at";
/** For records that we did not write: names of theirs become ids under it (RFC 9562 section 5.5). */
const foreignNamespace = "5b0b5ec8-6e1f-4d8c-8f0e-2f6c1b6d7a11";

/** An event as a record: the time of the record is left to the broker, which counts its retention from it. */
export function toRecord(event: EncodedEvent) {
  const headers = { ...event.headers, [idHeader]: event.id, [timeHeader]: event.occurredAt.toISOString() };
  return { key: event.key, value: event.payload, headers };
}

/** A record as an event. One without our headers gets an id made of its place, so that it too can be counted once. */
export function fromRecord(record: StoredRecord, topic: string, partition: number): EncodedEvent {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(record.headers ?? {})) headers[name] = textOf(value);
  const { [idHeader]: id = "", [timeHeader]: time = "", ...trace } = headers;
  const occurredAtMs = Date.parse(time) || Number(record.timestamp);
  return {
    id: isId(id)
      ? id.toLowerCase()
      : v5(`${topic}/${partition}/${record.offset}/${record.timestamp}`, foreignNamespace),
    topic,
    partition,
    key: textOf(record.key ?? ""),
    payload: record.value ?? Buffer.alloc(0),
    headers: trace,
    occurredAt: new Date(occurredAtMs),
  };
}

/** As text that PostgreSQL takes, which has no NUL. */
function textOf(value: Buffer | string | (Buffer | string)[] | undefined): string {
  const first = Array.isArray(value) ? value[0] : value;
  return (first ?? "").toString().replaceAll("\0", "\uFFFD");
}
