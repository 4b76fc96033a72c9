import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { topics } from "../../../../proto/topics.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../../../test/support/peers/database.ts";
import { openDatabase } from "../../db/database.ts";
import { newId } from "../../ids.ts";
import type { OutboxRow } from "../types.ts";
import { event, type OutgoingEvent, publish } from "./outbox.ts";
import { OutboxRows } from "./rows.ts";
import { onOutboxGrowth } from "./signals.ts";

let database: TestDatabase;
let rows: OutboxRows;
const stopped = { send: () => Promise.reject(new Error("stopped")) };
beforeAll(async () => {
  database = await testDatabase({ schema: "mailbox" });
});
beforeEach(async () => {
  await database.query("truncate outbox");
  rows = new OutboxRows({
    db: database,
    localTopics: new Set([topics.noticeRequested.name]),
    sink: stopped,
    logger: silentLogger,
    onRoom: () => undefined,
  });
});
afterAll(() => database.dispose());

const newEvent = () =>
  event(topics.mailReleased, create(topics.mailReleased.schema, { emailId: newId(), rawId: "r1" }));

/** Of an ordered topic. */
const changed = () => event(topics.domainChanged, create(topics.domainChanged.schema, { name: "example.org" }));

/** What is said of a transaction that publishes so many events. */
const published = (count: number) => publishedWith(...Array.from({ length: count }, newEvent));

async function publishedWith(...events: readonly OutgoingEvent[]): Promise<readonly OutboxRow[]> {
  const said: OutboxRow[] = [];
  const end = onOutboxGrowth(database, (grown) => said.push(...grown));
  await database.tx((tx) => publish(tx, events));
  end();
  return said;
}

/** Until all that there is has been read. */
async function caughtUp(): Promise<void> {
  await published(1);
  expect(await rows.read()).toHaveLength(1);
}

test("what is committed next is taken as it was published, and not read again", async () => {
  await caughtUp();
  const next = await published(3);
  expect(rows.take(next)).toBe(true);
  expect(rows.take(await published(1))).toBe(true);
  expect(await rows.read()).toEqual([]);
  const { rows: stored } = await database.query(
    "select id as row_id, event_id as id, payload from outbox order by outbox.id",
  );
  expect(stored.slice(1, 4)).toEqual(
    next.map(({ rowId, id, payload }) => ({ rowId, id, payload: Buffer.from(payload) })),
  );
});

test("before the first read nothing is taken, since there may be rows of a former process", async () => {
  const next = await published(1);
  expect(rows.take(next)).toBe(false);
  expect((await rows.read()).map(({ rowId }) => rowId)).toEqual(next.map(({ rowId }) => rowId));
});

test("what comes behind somebody else's row is read with it, in order", async () => {
  await caughtUp();
  const [foreign] = await published(1);
  const own = await published(1);
  expect(rows.take(own)).toBe(false);
  // Nothing overtakes what was not taken, even if its id is the next.
  expect(rows.take(await published(1))).toBe(false);
  expect((await rows.read()).map(({ rowId }) => rowId).slice(0, 2)).toEqual([foreign?.rowId, own[0]?.rowId]);
  expect(rows.take(await published(1))).toBe(true);
});

test("what is committed while rows are read is left to the next read", async () => {
  await caughtUp();
  const next = await published(1);
  const reading = rows.read();
  expect(rows.take(next)).toBe(false);
  expect(await reading).toHaveLength(1);
  expect(rows.take(await published(1))).toBe(false);
  expect(await rows.read()).toHaveLength(1);
});

test("rows that the bus refused are read before others are taken", async () => {
  await caughtUp();
  const next = await published(1);
  expect(rows.take(next)).toBe(true);
  rows.send(next);
  await rows.drain();
  rows.putBack();
  expect(rows.take(await published(1))).toBe(false);
  expect(await rows.read()).toHaveLength(2);
});

test("what is ordered does not overtake a transaction that had its number before and commits late", async () => {
  await caughtUp();
  await database.tx(async (tx) => {
    await publish(tx, changed());
    await published(1);
    // The late one has the number before this.
    expect(await rows.read()).toHaveLength(1);
  });
  const ordered = await publishedWith(changed());
  expect(rows.take(ordered)).toBe(false);
  expect((await rows.read()).map(({ topic }) => topic)).toEqual([topics.domainChanged.name, topics.domainChanged.name]);
  // What is not ordered may.
  expect(rows.take(await published(1))).toBe(true);
});

test("nor one that had its number before the first read", async () => {
  await database.tx(async (tx) => {
    await publish(tx, changed());
    await caughtUp();
  });
  expect(rows.take(await publishedWith(changed()))).toBe(false);
  expect(await rows.read()).toHaveLength(2);
});

test("what another process of the schema publishes is not said here", async () => {
  const said: (readonly OutboxRow[])[] = [];
  const other = openDatabase({ url: database.url, schema: database.schema, logger: silentLogger });
  const end = onOutboxGrowth(other, (grown) => said.push(grown));
  await database.tx((tx) => publish(tx, newEvent()));
  end();
  await other.close();
  expect(said).toEqual([]);
});

describe("rows of topics that processes hand over by themselves", () => {
  const local = (occurredAt = new Date()) => ({
    ...event(topics.noticeRequested, create(topics.noticeRequested.schema, { noticeId: newId() })),
    occurredAt,
  });

  test("leave no gap between others, which are taken alone", async () => {
    await caughtUp();
    const mixed = await publishedWith(local(), newEvent(), local());
    const [, ofBus] = mixed;
    expect(ofBus && rows.take([ofBus], mixed)).toBe(true);
    rows.skip(await publishedWith(local()));
    expect(rows.take(await published(1))).toBe(true);
    expect(await rows.read()).toEqual([]);
  });

  test("are no way past somebody else's row", async () => {
    await caughtUp();
    const [foreign] = await published(1);
    rows.skip(await publishedWith(local()));
    const own = await published(1);
    expect(rows.take(own)).toBe(false);
    expect((await rows.read()).map(({ rowId }) => rowId)).toEqual([foreign?.rowId, own[0]?.rowId]);
  });

  test("are not read before they are old, unless all are asked for", async () => {
    const old = local(new Date(Date.now() - 20_000));
    const fresh = local();
    await publishedWith(fresh, old);
    expect((await rows.read()).map(({ id }) => id)).toEqual([old.id]);
    expect((await rows.read(new Set([topics.noticeRequested.name]))).map(({ id }) => id)).toEqual([fresh.id]);
  });
});
