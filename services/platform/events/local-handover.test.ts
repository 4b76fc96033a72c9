import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { LocalHandover } from "./local-handover.ts";
import { encodedEvent } from "./test-support/encoded-event.ts";
import type { OutboxRow } from "./types.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema: "mailbox" });
});
afterAll(() => database.dispose());

let rowId = 0;
const rows = (count: number, topic: string = topics.mailReleased.name) =>
  Array.from({ length: count }, (): OutboxRow => {
    rowId += 1;
    return { ...encodedEvent(topic), rowId };
  });

/** Hands over events of mail.released to consumers that take them when they are told to. */
function handover() {
  const taking = Promise.withResolvers<void>();
  const refused: OutboxRow[] = [];
  const instance = new LocalHandover({
    db: database,
    route: { topics: new Set([topics.mailReleased.name]), consumers: { send: () => taking.promise } },
    logger: silentLogger,
    onRefused: (some) => refused.push(...some),
  });
  return { instance, taking, refused };
}

test("takes rows of its topics, and leaves the others to the bus", async () => {
  const { instance, taking } = handover();
  const [others, own] = [rows(2, topics.mailReturned.name), rows(2)];
  expect(instance.offer(own)).toEqual([]);
  expect(instance.offer(others)).toEqual(others);
  expect(instance.offer([...own, ...others])).toEqual(others);
  taking.resolve();
  await instance.stop();
});

test("with 5,000 in flight it leaves them to the bus, until they have taken effect", async () => {
  const { instance, taking } = handover();
  expect(instance.offer(rows(5_000))).toEqual([]);
  const next = rows(1);
  expect(instance.offer(next)).toEqual(next);
  taking.resolve();
  await eventually(() => expect(instance.offer(rows(1))).toEqual([]));
  await instance.stop();
});

test("what consumers refuse that have stopped is said, and takes no room", async () => {
  const { instance, taking, refused } = handover();
  const own = rows(5_000);
  expect(instance.offer(own)).toEqual([]);
  taking.reject(new Error("stopped"));
  await eventually(() => expect(refused).toEqual(own));
  expect(instance.offer(rows(1))).toEqual([]);
});

test("once it has stopped it takes nothing", async () => {
  const { instance } = handover();
  await instance.stop();
  const own = rows(1);
  expect(instance.offer(own)).toEqual(own);
});
