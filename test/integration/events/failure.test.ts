import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { Outage } from "../../../services/platform/errors.ts";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { listDeadEvents, resend } from "../../../services/platform/events/dead.ts";
import { publish } from "../../../services/platform/events/outbox.ts";
import type { Handle } from "../../../services/platform/events/types.ts";
import { asSuperuser } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { type BusKind, buses, note, type Released, released, Scene, startPeersOf, topic } from "./event-bus-fixture.ts";

/** Takes everything, and then fails if a step among it is on the list. */
function failingOn(poison: ReadonlySet<string>): Handle<Released["message"]> {
  return async (tx, events) => {
    await note(tx, events);
    const bad = events.find(({ message }) => poison.has(message.rawId));
    if (bad) throw new Error(`cannot take ${bad.message.rawId}`);
  };
}

describe.each(buses)("when something fails behind the %s bus", (kind: BusKind) => {
  startPeersOf(kind);
  let scene: Scene;
  afterEach(() => scene.close());

  test("a poison event leaves nothing but a dead event, and the rest flows", async () => {
    scene = await Scene.open(kind);
    await scene.say("a", "1", "bad", "2");
    await scene.start([consumer(topic, failingOn(new Set(["bad"])))]);
    await scene.say("a", "3");
    await eventually(async () => expect(await scene.effects()).toEqual(["1", "2", "3"]));
    const dead = await listDeadEvents(scene.sink);
    expect(dead).toEqual([
      expect.objectContaining({
        consumer: "sink.mail.released",
        topic: "mail.released",
        key: "a",
        resendAskedAt: null,
      }),
    ]);
    expect(dead[0]?.error).toMatch(/^Error: cannot take bad\n +at /);
    expect(await scene.metrics.expose()).toContain('postern_dead_events_total{consumer="sink.mail.released"} 1\n');
    await eventually(async () => expect(await scene.waiting()).toBe(0));
  });

  test("a dead event takes effect when it is sent again after the cause is gone", async () => {
    scene = await Scene.open(kind);
    const poison = new Set(["bad"]);
    await scene.start([consumer(topic, failingOn(poison))]);
    await scene.say("a", "bad", "good");
    // By then the one before it is dead: events of a key go in order.
    await eventually(async () => expect(await scene.effects()).toEqual(["good"]));
    const [dead] = await listDeadEvents(scene.sink);
    poison.clear();
    expect(await resend(scene.sink, [dead?.id ?? ""])).toEqual([dead?.id]);
    await eventually(async () => expect(await scene.effects()).toEqual(["good", "bad"]));
    expect(await listDeadEvents(scene.sink)).toEqual([]);
  });

  test("a dead event that fails again stays dead, with the new error", async () => {
    scene = await Scene.open(kind);
    let complaint = "first";
    await scene.start([
      consumer(topic, async () => {
        throw new Error(complaint);
      }),
    ]);
    await scene.say("a", "bad");
    await eventually(async () => expect(await listDeadEvents(scene.sink)).toHaveLength(1));
    complaint = "second";
    await resend(
      scene.sink,
      (await listDeadEvents(scene.sink)).map(({ id }) => id),
    );
    await eventually(async () => {
      const [dead] = await listDeadEvents(scene.sink);
      expect(dead?.error).toContain("second");
      expect(dead?.resendAskedAt).toBeNull();
    });
  });

  test("an event that always takes too long is dead after some attempts, and the rest flows", async () => {
    scene = await Scene.open(kind);
    await scene.start([
      consumer(topic, async (tx, events) => {
        if (events.some(({ message }) => message.rawId === "slow")) {
          await tx.query("set local statement_timeout = 50");
          await tx.query("select pg_sleep(60)");
        }
        await note(tx, events);
      }),
    ]);
    await scene.say("a", "1", "slow", "2");
    await eventually(async () => expect(await scene.effects()).toEqual(["1", "2"]));
    const [dead] = await listDeadEvents(scene.sink);
    expect(dead?.error).toContain("statement timeout");
    await resend(scene.sink, [dead?.id ?? ""]);
    await eventually(async () => expect((await listDeadEvents(scene.sink))[0]?.resendAskedAt).toBeNull());
    expect(await listDeadEvents(scene.sink)).toHaveLength(1);
  });

  test("bytes that are no message are dead at once, and the rest flows", async () => {
    scene = await Scene.open(kind);
    await scene.start([consumer(topic, (tx, events) => note(tx, events))]);
    const garbage = { ...released("a", "garbage"), payload: Buffer.from([0x0a, 0xff, 0x01]) };
    await scene.source.tx((tx) => publish(tx, [released("a", "1"), garbage, released("a", "2")]));
    await eventually(async () => expect(await scene.effects()).toEqual(["1", "2"]));
    const [dead] = await listDeadEvents(scene.sink);
    expect(dead).toMatchObject({ eventId: garbage.id, payloadBytes: 3 });
  });

  test("an outage of the consumer's database is waited out, and nothing is dead", async () => {
    scene = await Scene.open(kind);
    await scene.start([consumer(topic, (tx, events) => note(tx, events))]);
    await scene.say("a", "1");
    await eventually(async () => expect(await scene.effects()).toEqual(["1"]));
    const role = new URL(scene.sink.url).username;
    await asSuperuser(scene.sink.adminUrl, `alter role ${role} nologin`);
    await asSuperuser(
      scene.sink.adminUrl,
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1",
      [role],
    );
    await scene.say("a", "2", "3");
    await delay(2_000);
    await asSuperuser(scene.sink.adminUrl, `alter role ${role} login`);
    await eventually(async () => expect(await scene.effects()).toEqual(["1", "2", "3"]));
    expect(await listDeadEvents(scene.sink)).toEqual([]);
  });

  test("an outage that the handler meets is waited out as well", async () => {
    scene = await Scene.open(kind);
    let isDown = true;
    let tries = 0;
    await scene.start([
      consumer(topic, async (tx, events) => {
        tries += 1;
        if (isDown) throw new Outage("something");
        await note(tx, events);
      }),
    ]);
    await scene.say("a", "1");
    // More often than any other failure is tried.
    await eventually(() => expect(tries).toBeGreaterThan(6));
    isDown = false;
    await eventually(async () => expect(await scene.effects()).toEqual(["1"]));
  });
});
