import { afterEach, describe, expect, test } from "@jest/globals";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { publish } from "../../../services/platform/events/outbox.ts";
import { eventually } from "../../support/eventually.ts";
import { type BusKind, buses, note, released, Scene, startPeersOf, topic } from "./event-bus-fixture.ts";

describe.each(buses)("events over the %s bus", (kind: BusKind) => {
  startPeersOf(kind);
  let scene: Scene;
  afterEach(() => scene.close());

  test("take effect once each, in the order of their key, and leave the outbox", async () => {
    scene = await Scene.open(kind);
    await scene.start([consumer(topic, (tx, events) => note(tx, events))]);
    const steps = Array.from({ length: 40 }, (_, step) => `${step}`);
    const keys = ["a", "b", "c", "d", "e"];
    for (const step of steps)
      await scene.source.tx((tx) =>
        publish(
          tx,
          keys.map((key) => released(key, step)),
        ),
      );
    await eventually(async () => expect(await scene.effects()).toHaveLength(steps.length * keys.length));
    for (const key of keys) expect(await scene.effects({ key })).toEqual(steps);
    await eventually(async () => expect(await scene.waiting()).toBe(0));
  });

  test("that were published in a transaction that rolled back never were", async () => {
    scene = await Scene.open(kind);
    await scene.start([consumer(topic, (tx, events) => note(tx, events))]);
    const failing = scene.source.tx(async (tx) => {
      await publish(tx, released("a", "unsaid"));
      throw new Error("on second thought");
    });
    await expect(failing).rejects.toThrow("on second thought");
    await scene.say("a", "said");
    await eventually(async () => expect(await scene.effects()).toEqual(["said"]));
  });

  test("whose transaction commits late are not overlooked for their low number", async () => {
    scene = await Scene.open(kind);
    await scene.start([consumer(topic, (tx, events) => note(tx, events))]);
    await scene.source.tx(async (tx) => {
      await publish(tx, released("late", "first number"));
      await scene.say("early", "second number");
      await eventually(async () => expect(await scene.effects()).toEqual(["second number"]));
    });
    await eventually(async () => expect(await scene.effects()).toEqual(["second number", "first number"]));
  });

  test("from before the start are sent after it", async () => {
    scene = await Scene.open(kind);
    await scene.say("a", "1", "2");
    await scene.start([consumer(topic, (tx, events) => note(tx, events))]);
    await eventually(async () => expect(await scene.effects()).toEqual(["1", "2"]));
  });

  test("reach every group, and a group that is stuck holds up no other", async () => {
    scene = await Scene.open(kind);
    const held = Promise.withResolvers<void>();
    const stuck = async () => held.promise;
    await scene.start([
      consumer({ topic, group: "stuck", handle: stuck }),
      consumer({ topic, group: "free", handle: (tx, events) => note(tx, events, "free") }),
    ]);
    for (let step = 0; step < 20; step++) await scene.say("a", `${step}`);
    await eventually(async () => expect(await scene.effects({ group: "free" })).toHaveLength(20));
    held.resolve();
    await eventually(async () => expect(await scene.waiting()).toBe(0));
  });

  test("are taken over by another replica when the first one stops", async () => {
    scene = await Scene.open(kind);
    const reading = consumer(topic, (tx, events) => note(tx, events));
    await scene.start([reading]);
    await scene.start([reading]);
    await scene.say("a", "1", "2", "3");
    await eventually(async () => expect(await scene.effects()).toEqual(["1", "2", "3"]));
    await scene.stop();
    await scene.say("a", "4", "5");
    await eventually(async () => expect(await scene.effects()).toEqual(["1", "2", "3", "4", "5"]));
  });

  test("carry the trace of what caused them", async () => {
    scene = await Scene.open(kind);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const seen: unknown[] = [];
    await scene.start([
      consumer(topic, async (_, events) => {
        seen.push(...events.map(({ key, trace, occurredAt }) => ({ key, trace, occurredAt })));
      }),
    ]);
    const caused = { ...released("a", "1"), headers: { traceparent } };
    await scene.source.tx((tx) => publish(tx, caused));
    const expected = { key: "a", trace: { traceparent }, occurredAt: caused.occurredAt };
    await eventually(() => expect(seen).toEqual([expected]));
  });
});
