import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { consumer } from "../../../services/platform/events/consumer.ts";
import { EventProcessor } from "../../../services/platform/events/event-processor.ts";
import { publish } from "../../../services/platform/events/outbox/outbox.ts";
import { eventually } from "../../support/eventually.ts";
import { silentLogger } from "../../support/peers/database.ts";
import {
  type BusKind,
  buses,
  EventBusFixture,
  failingDeletions,
  note,
  released,
  startPeersOf,
  topic,
} from "./event-bus-fixture.ts";

const noting = consumer(topic, (tx, events) => note(tx, events));

/** Which of five events come, in which order and how often, and where each delivery is cut into transactions. */
const deliveries = fc.array(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 6,
});

/** What a set of deliveries must come to: each event once, where it was first. */
function firstOf(given: readonly (readonly number[])[]): string[] {
  return [...new Set(given.flat())].map(String);
}

describe.each(buses)("what comes twice over the %s bus", (kind: BusKind) => {
  startPeersOf(kind);
  let fixture: EventBusFixture;
  afterEach(() => fixture.close());

  test("because its relay was killed before it could delete it, takes effect once", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([noting], { source: failingDeletions(fixture.source) });
    await fixture.say("a", "1", "2", "3");
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2", "3"]));
    await fixture.stop();
    expect(await fixture.waiting()).toBe(3);
    await fixture.say("a", "4");
    await fixture.start([noting]);
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
    await eventually(async () => expect(await fixture.effects()).toEqual(["1", "2", "3", "4"]));
  });

  test("since rows could not be deleted until as many were in flight as may be, holds up nothing once they can", async () => {
    fixture = await EventBusFixture.open(kind);
    let fails = true;
    await fixture.start([noting], { source: failingDeletions(fixture.source, () => fails) });
    const steps = Array.from({ length: 5_000 }, (_, step) => `${step}`);
    await fixture.say("a", ...steps);
    await eventually(async () => expect(await fixture.effects()).toHaveLength(steps.length));
    fails = false;
    await fixture.say("a", "last");
    await eventually(async () => expect((await fixture.effects()).at(-1)).toBe("last"));
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });

  test("in any number, order and division takes effect once, in the order of its first coming", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.start([noting]);
    let run = 0;
    const property = fc.asyncProperty(deliveries, async (given) => {
      run += 1;
      const key = `run ${run}`;
      const events = Array.from({ length: 5 }, (_, step) => released(key, `${step}`));
      for (const part of given) {
        const rows = part.flatMap((index) => events[index] ?? []);
        await fixture.source.tx((tx) => publish(tx, rows));
      }
      // Of the same key, so that it comes after all of them.
      await fixture.say(key, "last");
      await eventually(async () => expect(await fixture.effects({ key })).toContain("last"));
      expect(await fixture.effects({ key })).toEqual([...firstOf(given), "last"]);
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describe("a group that is given events", () => {
  let fixture: EventBusFixture;
  beforeAll(async () => {
    fixture = await EventBusFixture.open("embedded");
  });
  afterAll(() => fixture.close());

  test("twice, at the same time and by two replicas, takes each once", async () => {
    const settings = {
      name: "sink",
      db: fixture.sink,
      consumers: [noting],
      logger: silentLogger,
      metrics: fixture.metrics,
    };
    const replicas = [new EventProcessor([noting], settings), new EventProcessor([noting], settings)];
    const { signal } = new AbortController();
    let run = 0;
    const property = fc.asyncProperty(deliveries, deliveries, async (left, right) => {
      run += 1;
      const key = `run ${run}`;
      const events = Array.from({ length: 5 }, (_, step) => released(key, `${step}`));
      const process = async (processor: EventProcessor | undefined, given: readonly (readonly number[])[]) => {
        for (const part of given)
          await processor?.process(
            part.flatMap((index) => events[index] ?? []),
            signal,
          );
      };
      await Promise.all([process(replicas[0], left), process(replicas[1], right)]);
      expect((await fixture.effects({ key })).sort()).toEqual(firstOf([...left, ...right]).sort());
    });
    await fc.assert(property, { numRuns: 50 });
  });
});
