import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { openDatabase } from "../../../services/platform/db/database.ts";
import type { Transaction } from "../../../services/platform/db/types.ts";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { event, type OutgoingEvent, publish } from "../../../services/platform/events/outbox.ts";
import type { IncomingEvent } from "../../../services/platform/events/types.ts";
import { silentLogger } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { EventBusFixture, note, type Released, released, startPeersOf, topic } from "./event-bus-fixture.ts";

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

  test("each of two processes hands its own events over, and none of the other's", async () => {
    fixture = await EventBusFixture.open("Kafka", { listener: "ingress" });
    await fixture.start([releasedBy("first")]);
    const source = otherProcess();
    await fixture.start([releasedBy("second")], { source });
    // By Kafka, one process would have both of a key.
    const keys = Array.from({ length: 12 }, (_, index) => `${index}`);
    for (const key of keys) {
      await fixture.say(key, "first's");
      await source.tx((tx) => publish(tx, released(key, "second's")));
    }
    const steps = (group: string) => fixture.effects({ group });
    await eventually(async () => {
      expect(await steps("first")).toEqual(keys.map(() => "first's"));
      expect(await steps("second")).toEqual(keys.map(() => "second's"));
    });
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("what a process leaves that ends is handed over by another, some seconds later and once", async () => {
    fixture = await EventBusFixture.open("Kafka", { listener: "ingress" });
    const waitedMs: number[] = [];
    const noting = async (tx: Transaction, events: readonly Released[]) => {
      for (const { occurredAt } of events) waitedMs.push(Date.now() - occurredAt.getTime());
      await note(tx, events);
    };
    await fixture.start([consumer(topic, noting)]);
    // Committed by a process that hands nothing over.
    await otherProcess().tx((tx) => publish(tx, released("a", "left")));
    await fixture.say("a", "own");
    await eventually(async () => expect(await fixture.effects()).toEqual(["own", "left"]));
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
    expect(waitedMs.at(-1)).toBeGreaterThanOrEqual(4_500);
  });

  test("a process that stops hands over what it can, and another the rest", async () => {
    fixture = await EventBusFixture.open("Kafka", { listener: "ingress" });
    const held = Promise.withResolvers<void>();
    const holding = async (tx: Transaction, events: readonly Released[]) => {
      await held.promise;
      await note(tx, events);
    };
    await fixture.start([consumer(topic, holding)]);
    const steps = Array.from({ length: 20 }, (_, step) => `${step}`);
    for (const step of steps) await fixture.say("a", step);
    const source = otherProcess();
    await fixture.start([releasedBy("one")], { source });
    const stopping = fixture.stop();
    held.resolve();
    await stopping;
    const inTurn = (a: string, b: string) => Number(a) - Number(b);
    await eventually(async () => expect((await fixture.effects()).sort(inTurn)).toEqual(steps));
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("what a process without the consumer sends is read from the broker", async () => {
    fixture = await EventBusFixture.open("Kafka", { listener: "ingress" });
    // It comes first, so that its relay is the active one.
    await fixture.start([], { listens: false });
    await fixture.start([releasedBy("one")], { source: otherProcess() });
    await fixture.say("a", "1", "2");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2"]));
  });
});
