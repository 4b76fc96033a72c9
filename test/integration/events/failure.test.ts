import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { Outage } from "../../../services/platform/errors.ts";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { askForResend, listDeadEvents } from "../../../services/platform/events/dead-events.ts";
import { publish } from "../../../services/platform/events/outbox/outbox.ts";
import type { Handle } from "../../../services/platform/events/types.ts";
import { eventually } from "../../support/eventually.ts";
import { withoutConnections } from "../../support/peers/database.ts";
import {
  type BusKind,
  buses,
  EventBusFixture,
  note,
  type Released,
  released,
  startPeersOf,
  topic,
} from "./event-bus-fixture.ts";

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
  let fixture: EventBusFixture;
  afterEach(() => fixture.close());

  test("a poison event leaves nothing but a dead event, and the rest flows", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.say("a", "1", "bad", "2");
    await fixture.start([consumer(topic, failingOn(new Set(["bad"])))]);
    await fixture.say("a", "3");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2", "3"]));
    const dead = await listDeadEvents(fixture.sink);
    expect(dead).toEqual([
      expect.objectContaining({
        consumer: "sink.mail.released",
        topic: "mail.released",
        key: "a",
        resendAskedAt: null,
      }),
    ]);
    expect(dead[0]?.error).toMatch(/^Error: cannot take bad\n +at /);
    expect(await fixture.metrics.expose("prometheus")).toContain(
      'postern_dead_events_total{consumer="sink.mail.released"} 1\n',
    );
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("a dead event takes effect when it is sent again after the cause is gone", async () => {
    fixture = await EventBusFixture.open(kind);
    const poison = new Set(["bad"]);
    await fixture.start([consumer(topic, failingOn(poison))]);
    await fixture.say("a", "bad", "good");
    // By then the one before it is dead: events of a key go in order.
    await eventually(async () => expect(await fixture.effects()).toEqual(["good"]));
    const [dead] = await listDeadEvents(fixture.sink);
    poison.clear();
    expect(await askForResend(fixture.sink, [dead?.id ?? ""])).toEqual([dead?.id]);
    await eventually(async () => expect(await fixture.effects()).toEqual(["good", "bad"]));
    expect(await listDeadEvents(fixture.sink)).toEqual([]);
  });

  test("a dead event that fails again stays dead, with the new error", async () => {
    fixture = await EventBusFixture.open(kind);
    let complaint = "first";
    await fixture.start([
      consumer(topic, async () => {
        throw new Error(complaint);
      }),
    ]);
    await fixture.say("a", "bad");
    await eventually(async () => expect(await listDeadEvents(fixture.sink)).toHaveLength(1));
    complaint = "second";
    await askForResend(
      fixture.sink,
      (await listDeadEvents(fixture.sink)).map(({ id }) => id),
    );
    await eventually(async () => {
      const [dead] = await listDeadEvents(fixture.sink);
      expect(dead?.error).toContain("second");
      expect(dead?.resendAskedAt).toBeNull();
    });
  });

  test("an event that always takes too long is dead after some attempts, and the rest flows", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([
      consumer(topic, async (tx, events) => {
        if (events.some(({ message }) => message.rawId === "slow")) {
          await tx.query("set local statement_timeout = 50");
          await tx.query("select pg_sleep(60)");
        }
        await note(tx, events);
      }),
    ]);
    await fixture.say("a", "1", "slow", "2");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2"]));
    const [dead] = await listDeadEvents(fixture.sink);
    expect(dead?.error).toContain("statement timeout");
    await askForResend(fixture.sink, [dead?.id ?? ""]);
    await eventually(async () => expect((await listDeadEvents(fixture.sink))[0]?.resendAskedAt).toBeNull());
    expect(await listDeadEvents(fixture.sink)).toHaveLength(1);
  });

  test("bytes that are no message are dead at once, and the rest flows", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([consumer(topic, (tx, events) => note(tx, events))]);
    const garbage = { ...released("a", "garbage"), payload: Buffer.from([0x0a, 0xff, 0x01]) };
    await fixture.source.tx((tx) => publish(tx, [released("a", "1"), garbage, released("a", "2")]));
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2"]));
    const [dead] = await listDeadEvents(fixture.sink);
    expect(dead).toMatchObject({ eventId: garbage.id, payloadBytes: 3 });
  });

  test("an outage of the consumer's database is waited out, and nothing is dead", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([consumer(topic, (tx, events) => note(tx, events))]);
    await fixture.say("a", "1");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1"]));
    await withoutConnections(fixture.sink, async () => {
      await fixture.say("a", "2", "3");
      await delay(2_000);
    });
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2", "3"]));
    expect(await listDeadEvents(fixture.sink)).toEqual([]);
  });

  test("an outage that the handler meets is waited out as well", async () => {
    fixture = await EventBusFixture.open(kind);
    let isDown = true;
    let tries = 0;
    await fixture.start([
      consumer(topic, async (tx, events) => {
        tries += 1;
        if (isDown) throw new Outage("something");
        await note(tx, events);
      }),
    ]);
    await fixture.say("a", "1");
    // More often than any other failure is tried.
    await eventually(() => expect(tries).toBeGreaterThan(6));
    isDown = false;
    await eventually(async () => expect(await fixture.effects()).toEqual(["1"]));
  });
});
