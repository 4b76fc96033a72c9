import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { openDatabase } from "../../../services/platform/db/database.ts";
import type { Transaction } from "../../../services/platform/db/types.ts";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { event, type OutgoingEvent, publish } from "../../../services/platform/events/outbox/outbox.ts";
import type { Consumer, IncomingEvent } from "../../../services/platform/events/types.ts";
import { eventually } from "../../support/eventually.ts";
import { silentLogger } from "../../support/peers/database.ts";
import {
  EventBusFixture,
  note,
  type Released,
  released,
  type StartOptions,
  startPeersOf,
  topic,
} from "./event-bus-fixture.ts";

// A process that runs all consumers of a topic without order: here a listener named as the only consumer of it.

const nowhere = "127.0.0.1:1";
let fixture: EventBusFixture;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await fixture.close();
  for (const close of closing.splice(0)) await close();
});

/** The source's database as a further process has it. */
function otherProcess() {
  const database = openDatabase({ url: fixture.source.url, schema: "source", logger: silentLogger });
  closing.push(() => database.close());
  return database;
}

const releasedBy = (group: string) =>
  consumer({ topic, handle: (tx: Transaction, events: readonly Released[]) => note(tx, events, group) });

describe("without a broker in reach", () => {
  const returned = (emailId: string) =>
    event(topics.mailReturned, create(topics.mailReturned.schema, { emailId, rawId: "bounce" }));
  const domainChanged = (name: string) => event(topics.domainChanged, create(topics.domainChanged.schema, { name }));
  const mailAccepted = () => event(topics.mailAccepted, create(topics.mailAccepted.schema, { emailId: "accepted" }));
  /** Of topics that forwarder consumes: mail.returned alone, domain.changed alone and in order, mail.accepted beside others. */
  const consumers = [
    consumer(topics.mailReturned, (tx, events) => noteKeys(tx, events)),
    consumer(topics.domainChanged, (tx, events) => noteKeys(tx, events)),
    consumer(topics.mailAccepted, (tx, events) => noteKeys(tx, events)),
  ];

  async function noteKeys(tx: Transaction, events: readonly IncomingEvent<unknown>[]): Promise<void> {
    await tx.query("insert into effect (consumer, key, step) select 'one', key, key from unnest($1::text[]) as key", [
      events.map(({ key }) => key),
    ]);
  }

  async function start(): Promise<void> {
    fixture = await EventBusFixture.open("Kafka", { brokers: nowhere, listener: "forwarder" });
    await fixture.start(consumers, { becomesReady: false });
  }
  const say = (events: readonly OutgoingEvent[]) => fixture.source.tx((tx) => publish(tx, events));

  test("events take effect and leave the outbox, but for those whose topic is ordered or consumed elsewhere too", async () => {
    await start();
    await say([returned("1"), domainChanged("example.org"), returned("2"), mailAccepted()]);
    await eventually(async () => expect((await fixture.effects()).sort()).toEqual(["1", "2"]));
    await eventually(async () => expect(await fixture.waiting()).toBe(2));
    await say([returned("3")]);
    await eventually(async () => expect((await fixture.effects()).sort()).toEqual(["1", "2", "3"]));
    await eventually(async () => expect(await fixture.waiting()).toBe(2));
  });

  test("as many that wait for the broker as a relay may have in flight hold up none of them", async () => {
    await start();
    const many = Array.from({ length: 6_000 }, (_, index) => domainChanged(`${index}.example`));
    await say(many);
    await say([returned("1")]);
    await eventually(async () => expect(await fixture.effects()).toEqual(["1"]));
    await eventually(async () => expect(await fixture.waiting()).toBe(many.length));
  });
});

describe("with a broker", () => {
  startPeersOf("Kafka");
  const waitedMs = new Map<string, number>();
  /** Writes down how long each step was on its way, besides. */
  const timing = consumer(topic, async (tx: Transaction, events: readonly Released[]) => {
    for (const { message, occurredAt } of events) waitedMs.set(message.rawId, Date.now() - occurredAt.getTime());
    await note(tx, events);
  });
  const ofComplaints = consumer(topics.complaintReceived, async () => undefined);
  /** Shorter than what a killed process has left waits. */
  const leftAfterMs = 14_000;

  async function start(consumers: readonly Consumer[], options?: StartOptions): Promise<void> {
    fixture = await EventBusFixture.open("Kafka", { listener: "ingress" });
    await fixture.start(consumers, options);
  }

  test("each of two processes hands its own events over, and none of the other's", async () => {
    await start([releasedBy("first")]);
    const steps = (group: string) => fixture.effects({ group });
    await passFirstRead();
    const source = otherProcess();
    await fixture.start([releasedBy("second")], { source });
    // By Kafka, one process would have both of a key.
    const keys = Array.from({ length: 12 }, (_, index) => `${index}`);
    for (const key of keys) {
      await fixture.say(key, "first's");
      await source.tx((tx) => publish(tx, released(key, "second's")));
    }
    await eventually(async () => {
      expect(await steps("first")).toEqual(["old", ...keys.map(() => "first's")]);
      expect(await steps("second")).toEqual(keys.map(() => "second's"));
    });
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("what a process leaves that was killed goes by the broker, some seconds later; at once if its clock was wrong", async () => {
    await start([timing]);
    await passFirstRead();
    const left = (step: string, occurredAt = new Date()) => ({ ...released("a", step), occurredAt });
    const hourMs = 3_600_000;
    for (const row of [left("left"), left("before", new Date(0)), left("after", new Date(Date.now() + hourMs))])
      await insertUnannounced(row);
    await eventually(async () => expect(await fixture.effects()).toEqual(["old", "before", "after", "left"]));
    expect(waitedMs.get("left")).toBeGreaterThan(leftAfterMs);
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  /** The first read of a relay takes what there is, however fresh: behind it, fresh rows are left to their process. */
  async function passFirstRead() {
    await insertUnannounced({ ...released("a", "old"), occurredAt: new Date(0) });
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  }

  /** As a process does that is killed right after its commit. */
  async function insertUnannounced({ id, topic: name, key, headers, occurredAt, payload }: OutgoingEvent) {
    await fixture.source.query(
      "insert into outbox (event_id, topic, key, headers, occurred_at, payload) values ($1, $2, $3, $4, $5, $6)",
      [id, name, key, headers, occurredAt, payload],
    );
  }

  test("a consumer that is stuck holds up no other, however many wait for it", async () => {
    const held = Promise.withResolvers<void>();
    await start([
      consumer({ topic, group: "stuck", handle: async () => held.promise }),
      consumer({ topic, group: "free", handle: (tx, events) => note(tx, events, "free") }),
    ]);
    const count = 8_000;
    for (let step = 0; step < count; step += 1_000)
      await fixture.say("a", ...Array.from({ length: 1_000 }, (_, at) => `${step + at}`));
    await eventually(async () => expect(await fixture.effects({ group: "free" })).toHaveLength(count));
    held.resolve();
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("while the services of a process stop one after the other, its events go to other processes", async () => {
    await start([releasedBy("first")]);
    await fixture.start([timing], { source: otherProcess() });
    await fixture.stopListener();
    await fixture.say("a", "1", "2");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2"]));
    expect(Math.max(...waitedMs.values())).toBeLessThan(leftAfterMs);
  });

  test("what its own consumer had not begun when it stopped goes to other processes", async () => {
    const held = Promise.withResolvers<void>();
    const holding = async (tx: Transaction, events: readonly Released[]) => {
      await held.promise;
      await note(tx, events);
    };
    await start([consumer(topic, holding)]);
    const steps = Array.from({ length: 20 }, (_, step) => `${step}`);
    for (const step of steps) await fixture.say("a", step);
    await fixture.start([timing], { source: otherProcess() });
    const stopping = fixture.stopListener();
    held.resolve();
    await stopping;
    const inTurn = (a: string, b: string) => Number(a) - Number(b);
    await eventually(async () => expect((await fixture.effects()).sort(inTurn)).toEqual(steps));
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
    expect(waitedMs.size).toBeGreaterThan(0);
    expect(Math.max(...waitedMs.values())).toBeLessThan(leftAfterMs);
  });

  test.each([
    ["first", false],
    ["second", true],
  ])("what a process without the consumer sends is read from the broker, if it comes %s", async (_, isSecond) => {
    const source = () => (isSecond ? otherProcess() : fixture.source);
    fixture = await EventBusFixture.open("Kafka", { listener: "ingress" });
    if (isSecond) await fixture.start([timing]);
    const own = source();
    // It has a topic of its own that it hands over.
    await fixture.start([ofComplaints], { source: own, listener: "forwarder" });
    if (!isSecond) await fixture.start([timing], { source: otherProcess() });
    await own.tx((tx) => publish(tx, [released("a", "1"), released("a", "2")]));
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2"]));
    expect(Math.max(...waitedMs.values())).toBeLessThan(leftAfterMs);
  });

  beforeEach(() => waitedMs.clear());
});
