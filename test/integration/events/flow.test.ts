import { afterEach, describe, expect, test } from "@jest/globals";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { publish } from "../../../services/platform/events/outbox/outbox.ts";
import { eventually } from "../../support/eventually.ts";
import { type BusKind, buses, EventBusFixture, note, released, startPeersOf, topic } from "./event-bus-fixture.ts";

describe.each(buses)("events over the %s bus", (kind: BusKind) => {
  startPeersOf(kind);
  let fixture: EventBusFixture;
  afterEach(() => fixture.close());

  test("take effect once each, in the order of their key, and leave the outbox", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([consumer(topic, (tx, events) => note(tx, events))]);
    const steps = Array.from({ length: 40 }, (_, step) => `${step}`);
    const keys = ["a", "b", "c", "d", "e"];
    for (const step of steps)
      await fixture.source.tx((tx) =>
        publish(
          tx,
          keys.map((key) => released(key, step)),
        ),
      );
    await eventually(async () => expect(await fixture.effects()).toHaveLength(steps.length * keys.length));
    for (const key of keys) expect(await fixture.effects({ key })).toEqual(steps);
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("that were published in a transaction that rolled back never were", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([consumer(topic, (tx, events) => note(tx, events))]);
    const failing = fixture.source.tx(async (tx) => {
      await publish(tx, released("a", "unsaid"));
      throw new Error("on second thought");
    });
    await expect(failing).rejects.toThrow("on second thought");
    await fixture.say("a", "said");
    await eventually(async () => expect(await fixture.effects()).toEqual(["said"]));
  });

  test("whose transaction commits late are not overlooked for their low number", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([consumer(topic, (tx, events) => note(tx, events))]);
    await fixture.source.tx(async (tx) => {
      await publish(tx, released("late", "first number"));
      await fixture.say("early", "second number");
      await eventually(async () => expect(await fixture.effects()).toEqual(["second number"]));
    });
    await eventually(async () => expect(await fixture.effects()).toEqual(["second number", "first number"]));
  });

  test("from before the start are sent after it", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.say("a", "1", "2");
    await fixture.start([consumer(topic, (tx, events) => note(tx, events))]);
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2"]));
  });

  test("reach every group, and a group that is stuck holds up no other", async () => {
    fixture = await EventBusFixture.open(kind);
    const held = Promise.withResolvers<void>();
    const stuck = async () => held.promise;
    await fixture.start([
      consumer({ topic, group: "stuck", handle: stuck }),
      consumer({ topic, group: "free", handle: (tx, events) => note(tx, events, "free") }),
    ]);
    for (let step = 0; step < 20; step++) await fixture.say("a", `${step}`);
    await eventually(async () => expect(await fixture.effects({ group: "free" })).toHaveLength(20));
    held.resolve();
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("are taken over by another replica when the first one stops", async () => {
    fixture = await EventBusFixture.open(kind);
    const reading = consumer(topic, (tx, events) => note(tx, events));
    await fixture.start([reading]);
    await fixture.start([reading]);
    await fixture.say("a", "1", "2", "3");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2", "3"]));
    await fixture.stop();
    await fixture.say("a", "4", "5");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2", "3", "4", "5"]));
  });

  test("carry the trace of what caused them", async () => {
    fixture = await EventBusFixture.open(kind);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const seen: unknown[] = [];
    await fixture.start([
      consumer(topic, async (_, events) => {
        seen.push(...events.map(({ key, trace, occurredAt }) => ({ key, trace, occurredAt })));
      }),
    ]);
    const caused = { ...released("a", "1"), headers: { traceparent } };
    await fixture.source.tx((tx) => publish(tx, caused));
    const expected = { key: "a", trace: { traceparent }, occurredAt: caused.occurredAt };
    await eventually(() => expect(seen).toEqual([expected]));
  });
});

test("groups of one process share what was decoded of an event", async () => {
  const fixture = await EventBusFixture.open("embedded");
  try {
    const seen: unknown[] = [];
    const see = (group: string) =>
      consumer({
        topic,
        group,
        handle: async (_, events) => {
          seen.push(...events.map(({ message }) => message));
        },
      });
    await fixture.start([see("one"), see("other")]);
    await fixture.say("a", "1");
    await eventually(async () => expect(seen).toHaveLength(2));
    expect(seen[1]).toBe(seen[0]);
  } finally {
    await fixture.close();
  }
});
