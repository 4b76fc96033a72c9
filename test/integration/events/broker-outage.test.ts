import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { listDeadEvents } from "../../../services/platform/events/dead-events.ts";
import { eventually } from "../../support/eventually.ts";
import { ownKafka } from "../../support/peers/kafka.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";
import { EventBusFixture, note, topic } from "./event-bus-fixture.ts";

const noting = consumer(topic, (tx, events) => note(tx, events));
let kafka: Awaited<ReturnType<typeof ownKafka>>;
let fixture: EventBusFixture;
beforeAll(async () => {
  kafka = await ownKafka();
  fixture = await EventBusFixture.open("Kafka", { brokers: kafka.brokers });
  await fixture.start([noting]);
}, peerInstallLimitMs);
afterAll(async () => {
  await fixture.close();
  await kafka.dispose();
});

/** Says steps one by one until told to stop; returns how many were said. */
function saying(prefix: string): () => Promise<string[]> {
  const said: string[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const step = `${prefix}${said.length}`;
      await fixture.say("a", step);
      said.push(step);
      await delay(20);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return said;
  };
}

test("events outlive a broker that stops, and one that is killed", async () => {
  const expected: string[] = [];
  for (const [prefix, end] of [
    ["stop ", () => kafka.stop()],
    ["kill ", () => kafka.kill()],
  ] as const) {
    const finish = saying(prefix);
    await eventually(async () => expect((await fixture.effects()).length).toBeGreaterThan(expected.length + 5));
    await end();
    await delay(4_000);
    await kafka.start();
    await delay(1_000);
    expected.push(...(await finish()));
    await eventually(async () => expect(await fixture.effects()).toEqual(expected));
  }
  expect(await listDeadEvents(fixture.sink)).toEqual([]);
  await eventually(async () => expect(await fixture.waiting()).toBe(0));
});

test("services stop and start while the broker is away, and events wait for it", async () => {
  const before = await fixture.effects();
  await kafka.stop();
  await fixture.say("a", "while it was away");
  await fixture.stop();
  expect(await fixture.waiting()).toBe(1);
  const starting = fixture.start([noting]);
  await fixture.say("a", "before it was back");
  await kafka.start();
  await starting;
  const after = [...before, "while it was away", "before it was back"];
  await eventually(async () => expect(await fixture.effects()).toEqual(after));
});
