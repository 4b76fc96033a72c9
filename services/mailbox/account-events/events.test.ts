import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AccountEventRecordedSchema } from "../../../proto/gen/postern/mailbox/v1/account_event_recorded_pb.js";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { addAccountEvents } from "./add-events.ts";
import { deleteOldEvents, deleteSurplus } from "./delete-events.ts";
import { pushEvents } from "./push-events.ts";
import { readEvents } from "./read-events.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "mailbox", migrations: new URL("../migrations/", import.meta.url) });
});
afterAll(() => db.dispose());

const eventOf = (ownerId: string, at: string) => ({
  ownerId,
  kind: "address.made" as const,
  at: new Date(at),
  bindingId: newId(),
});

const read = (ownerId: string, after?: string) => readEvents(db, { ownerId, after, first: 100 });

test("what is committed after it was passed is still to come", async () => {
  const ownerId = newId();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const early = eventOf(ownerId, "2099-01-01T00:00:00Z");
  const late = db.tx(async (tx) => {
    await addAccountEvents(tx, [early]);
    begin();
    await mayEnd;
  });
  await begun;
  const other = eventOf(ownerId, "2099-01-02T00:00:00Z");
  await db.tx((tx) => addAccountEvents(tx, [other]));
  const [first] = await read(ownerId);
  expect(first?.bindingId).toBe(other.bindingId);
  end();
  await late;
  expect((await read(ownerId, first?.cursor)).map(({ bindingId }) => bindingId)).toEqual([early.bindingId]);
  expect((await read(ownerId)).map(({ bindingId }) => bindingId)).toEqual([other.bindingId, early.bindingId]);
});

test("a reader is told that events after its cursor are gone", async () => {
  const ownerId = newId();
  const now = new Date().toISOString();
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, now)]));
  const [first] = await read(ownerId);
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, "2020-01-01T00:00:00Z")]));
  await deleteOldEvents(db);
  await expect(read(ownerId, first?.cursor)).rejects.toMatchObject({ kind: "Gone" });
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, now)]));
  const all = await read(ownerId);
  expect(all).toHaveLength(2);
  expect(await read(ownerId, all.at(-1)?.cursor)).toEqual([]);
});

test("of an account with too many the newest are kept, which no reader waits for, and readers are told", async () => {
  const ownerId = newId();
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, new Date().toISOString())]));
  const [first] = await read(ownerId);
  await db.query(
    `insert into account_event (id, owner_id, kind, at)
     select gen_random_uuid(), $1, 'address.made', now() + make_interval(secs => number) from generate_series(1, 26000) as number`,
    [ownerId],
  );
  const kept = async () =>
    (await db.query<{ count: number }>("select count(*) from account_event where owner_id = $1", [ownerId])).rows[0]
      ?.count;
  expect(await read(ownerId, first?.cursor)).toHaveLength(100);
  expect(await kept()).toBe(26_001);
  while (await deleteSurplus(db));
  expect(await kept()).toBe(20_000);
  await expect(read(ownerId, first?.cursor)).rejects.toMatchObject({ kind: "Gone" });
});

test("reading writes nothing where nothing is new", async () => {
  const ownerId = newId();
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, new Date().toISOString())]));
  const version = async () =>
    (await db.query("select xmin::text from event_reader where owner_id = $1", [ownerId])).rows[0];
  await read(ownerId);
  const before = await version();
  expect(before).toBeDefined();
  await read(ownerId);
  expect(await version()).toEqual(before);
});

test("a reader and a deletion do not wait for each other in a circle", async () => {
  const ownerId = newId();
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, new Date().toISOString())]));
  await read(ownerId);
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, "2020-01-01T00:00:00Z")]));
  let deletion: Promise<boolean> | undefined;
  await db.tx(async (reader) => {
    await reader.query("select from event_reader where owner_id = $1 for update", [ownerId]);
    deletion = deleteOldEvents(db);
    deletion.catch(() => undefined);
    for (let isWaiting = false; !isWaiting; )
      isWaiting =
        (await db.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
          .rowCount > 0;
    await reader.query("update account_event set position = 2 where owner_id = $1 and position is null", [ownerId]);
  });
  await deletion;
  const { rows } = await db.query("select from account_event where owner_id = $1", [ownerId]);
  expect(rows).toHaveLength(1);
});

test("events of an account that has a webhook are published, and of no other", async () => {
  const [pushed, silent] = [newId(), newId()];
  for (const ownerId of [pushed, silent]) await pushEvents(db, ownerId, true);
  await pushEvents(db, silent, false);
  const events = [eventOf(pushed, "2099-01-01T00:00:00Z"), eventOf(silent, "2099-01-01T00:00:00Z")];
  await db.tx((tx) => addAccountEvents(tx, [...events, eventOf(newId(), "2099-01-01T00:00:00Z")]));
  const { rows } = await db.query<{ payload: Buffer }>("delete from outbox returning payload");
  const messages = rows.map(({ payload }) => fromBinary(AccountEventRecordedSchema, payload));
  const [recorded] = await read(pushed);
  expect(messages).toMatchObject([
    { eventId: recorded?.id, ownerId: pushed, kind: "address.made", bindingId: events[0]?.bindingId },
  ]);
  expect(messages[0]?.emailId).toBeUndefined();
});

test("nothing is kept of an account that is closed", async () => {
  const ownerId = newId();
  await db.query("insert into erasure (owner_id) values ($1)", [ownerId]);
  await pushEvents(db, ownerId, true);
  expect((await db.query("select from event_push where owner_id = $1", [ownerId])).rows).toEqual([]);
  await db.tx((tx) => addAccountEvents(tx, [eventOf(ownerId, new Date().toISOString())]));
  expect(await read(ownerId)).toEqual([]);
});
