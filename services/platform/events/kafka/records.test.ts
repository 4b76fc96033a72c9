import { expect, test } from "@jest/globals";
import { isId, newId } from "../../ids.ts";
import type { EncodedEvent } from "../types.ts";
import { fromRecord, toRecord } from "./records.ts";

const event: EncodedEvent = {
  id: newId(),
  topic: "mail.accepted",
  key: "ключ",
  payload: Buffer.from([0, 255, 128, 10]),
  headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  occurredAt: new Date("2031-02-03T04:05:06.789Z"),
};

/** As a client of Kafka gives it back: all of it bytes. */
function stored(record: ReturnType<typeof toRecord>) {
  const headers = Object.entries(record.headers).map(([name, value]) => [name, Buffer.from(value)]);
  const key = Buffer.from(record.key);
  return { key, value: record.value, headers: Object.fromEntries(headers), offset: "7", timestamp: "1700000000000" };
}

test("an event survives being a record, and says where it came from", () => {
  expect(fromRecord(stored(toRecord(event)), event.topic, 3)).toEqual({ ...event, partition: 3 });
});

test("a record of somebody else's is an event known by its place", () => {
  const foreign = { key: null, value: null, offset: "7", timestamp: "1700000000000" };
  const first = fromRecord(foreign, "mail.accepted", 3);
  expect(first).toEqual({
    id: first.id,
    topic: "mail.accepted",
    partition: 3,
    key: "",
    payload: Buffer.alloc(0),
    headers: {},
    occurredAt: new Date(1_700_000_000_000),
  });
  expect(isId(first.id)).toBe(true);
  expect(fromRecord(foreign, "mail.accepted", 3).id).toBe(first.id);
  expect(fromRecord({ ...foreign, offset: "8" }, "mail.accepted", 3).id).not.toBe(first.id);
  expect(fromRecord(foreign, "mail.accepted", 4).id).not.toBe(first.id);
});

test("headers that are no id and no time, and a key that PostgreSQL cannot hold, are made harmless", () => {
  const headers = { "event-id": Buffer.from("1; drop"), "occurred-at": "soon", twice: ["a", "b"] };
  const record = {
    key: Buffer.from("a\0b"),
    value: Buffer.from("x"),
    offset: "7",
    timestamp: "1700000000000",
    headers,
  };
  const { id, key, occurredAt, headers: trace } = fromRecord(record, "mail.accepted", 0);
  expect(isId(id)).toBe(true);
  expect(key).toBe("a\uFFFDb");
  expect(occurredAt).toEqual(new Date(1_700_000_000_000));
  expect(trace).toEqual({ twice: "a" });
});
