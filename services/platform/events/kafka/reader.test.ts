import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, jest, test } from "@jest/globals";
import { topics } from "../../../../proto/topics.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { openDatabase } from "../../db/database.ts";
import { Outage } from "../../errors.ts";
import { createLogger, type Logger } from "../../telemetry/logger.ts";
import { createMetrics } from "../../telemetry/metrics.ts";
import { consumer, jointConsumers } from "../consumer.ts";
import { ConsumerQueue } from "../consumer-queue.ts";
import { EventProcessor } from "../event-processor.ts";
import { encodedEvent } from "../test-support/encoded-event.ts";
import type { Consumer } from "../types.ts";
import type { KafkaClient } from "./client.ts";
import { StopPatience } from "./limits.ts";
import type { KafkaMember } from "./member.ts";
import { KafkaReader } from "./reader.ts";
import { ReadingOutages } from "./reading-outages.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
/** Never asked anything. */
const db = openDatabase({ url: "postgres://nobody@127.0.0.1:1/none", schema: "test", logger });
const settings = { name: "test", db, consumers: [], logger, metrics: createMetrics() };
const ignoring = consumer(topics.mailAccepted, async () => undefined);

const sound: KafkaMember = { failed: new Promise(() => undefined), isJoined: true, stop: async () => undefined };

interface ReaderOptions extends Partial<Pick<ConstructorParameters<typeof KafkaReader>[0], "limits" | "outages">> {
  process?: EventProcessor["process"];
}

function readersOf(
  consumers: readonly [Consumer, ...Consumer[]],
  join: KafkaClient["join"],
  { process, ...more }: ReaderOptions = {},
) {
  const processor = new EventProcessor(consumers, settings);
  if (process) processor.process = process;
  const queue = new ConsumerQueue(processor, logger);
  const outages = new ReadingOutages({ logger });
  const readers = processor.groups.map(
    (group) => new KafkaReader({ client: { join }, group, queue, outages, ...more }),
  );
  return { queue, readers };
}

function readerOf(join: KafkaClient["join"], options?: ReaderOptions) {
  const { queue, readers } = readersOf([ignoring], join, options);
  return { queue, reader: readers[0] as KafkaReader };
}

test("a reader joins anew though it was never told whether it had, and though a former member is never done with leaving", async () => {
  const left = Promise.withResolvers<void>();
  const joining = Promise.withResolvers<KafkaMember>();
  const stuck: KafkaMember = {
    failed: Promise.resolve(new Error("the broker has not heard of it for long")),
    isJoined: false,
    stop: () => new Promise(() => undefined),
  };
  const members = [joining.promise, stuck, sound];
  const limits = { answerMs: 100, leaveMs: 100 };
  const { reader } = readerOf(async () => members.shift() ?? sound, { limits });
  reader.start();
  await eventually(() => reader.ready());
  expect(members).toEqual([]);
  joining.resolve({ ...sound, stop: async () => left.resolve() });
  await left.promise;
  await reader.stop();
});

test.each<[string, KafkaClient["join"]]>([
  ["leave", async () => ({ ...sound, stop: () => new Promise(() => undefined) })],
  ["join", () => new Promise(() => undefined)],
])("a stop ends though a member is never done when it is to %s", async (_, join) => {
  const limits = { answerMs: 3_600_000, leaveMs: 3_600_000, stopMs: 100 };
  const { reader } = readerOf(join, { limits });
  reader.start();
  await reader.ready().catch(() => undefined);
  await reader.stop();
});

test("where one is never done with leaving, the next is not waited for as long", async () => {
  const limits = { answerMs: 3_600_000, leaveMs: 3_600_000, stopMs: 500 };
  const patience = new StopPatience(limits);
  await patience.wait(new Promise(() => undefined));
  expect(patience.limitMs).toBeLessThan(limits.stopMs);
});

describe("the log", () => {
  const lines: unknown[] = [];
  const say = (...line: unknown[]) => void lines.push(line);
  const writing = { ...logger, info: say, warn: say, child: () => writing } as Logger;
  function read(join: KafkaClient["join"], quietMs: number): KafkaReader {
    lines.length = 0;
    const outages = new ReadingOutages({ logger: writing, quietMs });
    const [reader] = readersOf([ignoring], join, { outages }).readers as [KafkaReader];
    reader.start();
    return reader;
  }
  const consumers = [expect.any(String)];

  test("says nothing of a broker that refuses a reader for a moment, as one does while it makes its topics", async () => {
    const outcomes = [new Error("no coordinator yet"), new Error("it is loading")];
    const reader = read(async () => {
      const error = outcomes.shift();
      if (error) throw error;
      return sound;
    }, 60_000);
    await eventually(() => reader.ready());
    expect(lines).toEqual([]);
    await reader.stop();
  });

  test("warns once, in a line, of one that goes on, and says when it is over", async () => {
    let isAway = true;
    const reader = read(async () => {
      if (isAway) throw new Error("connect ECONNREFUSED");
      return sound;
    }, 300);
    const warning = [{ consumers, reason: "connect ECONNREFUSED" }, "consumers wait for the broker"];
    await eventually(async () => expect(lines).toEqual([warning]));
    isAway = false;
    await eventually(() => reader.ready());
    expect(lines).toEqual([warning, [{ consumers }, "consumers resumed reading"]]);
    await reader.stop();
  });

  test("warns in one line of all readers of a service, and says in another that they read again", () => {
    lines.length = 0;
    jest.useFakeTimers();
    const outages = new ReadingOutages({ logger: writing, quietMs: 5_000 });
    outages.failed("one", new Outage("broker", { operator: "KAFKA_BROKERS: a:1", cause: new Error("refused") }));
    jest.advanceTimersByTime(1_000);
    outages.failed("other", new Error("refused"));
    jest.advanceTimersByTime(2_000);
    outages.failed("late", new Error("it moves"));
    jest.advanceTimersByTime(2_000);
    const both = ["one", "other"];
    const warning = [{ consumers: both, reason: "KAFKA_BROKERS: a:1: refused" }, "consumers wait for the broker"];
    expect(lines).toEqual([warning]);
    outages.joined("late");
    for (const consumer of both) outages.joined(consumer);
    jest.advanceTimersByTime(60_000);
    expect(lines).toEqual([warning, [{ consumers: both }, "consumers resumed reading"]]);
    jest.useRealTimers();
  });

  test("warns of a reader that joins and fails, over and over", async () => {
    const reader = read(async () => ({ ...sound, failed: Promise.resolve(new Error("thrown out")) }), 300);
    await eventually(async () =>
      expect(lines).toContainEqual([{ consumers, reason: "thrown out" }, "consumers wait for the broker"]),
    );
    await reader.stop();
  });
});

test("events are handed over no sooner than the next would be taken, so that they are fetched together", async () => {
  const memberships: Parameters<KafkaClient["join"]>[0][] = [];
  const member: KafkaMember = { failed: new Promise(() => undefined), isJoined: true, stop: async () => undefined };
  const join = async (membership: Parameters<KafkaClient["join"]>[0]) => {
    memberships.push(membership);
    return member;
  };
  const { queue, reader } = readerOf(join, { process: () => delay(30) });
  reader.start();
  await eventually(() => reader.ready());
  await memberships[0]?.process([encodedEvent()]);
  // Node's timers may fire a millisecond early; without the wait it would be 60.
  expect(queue.readAgainInMs([])).toBeLessThanOrEqual(1);
  await reader.stop();
});

test("of a handler that takes two topics, each is read somewhat before the next batch, so that both are in it", async () => {
  const memberships = new Map<string, Parameters<KafkaClient["join"]>[0]>();
  const member: KafkaMember = { failed: new Promise(() => undefined), isJoined: true, stop: async () => undefined };
  const joint = jointConsumers({
    topics: [topics.mailAccepted, topics.deliverySettled],
    pace: "patient",
    isAwaited: () => false,
    handle: async () => undefined,
  });
  const batches: string[][] = [];
  const { readers } = readersOf(
    joint as [Consumer, ...Consumer[]],
    async (membership) => {
      memberships.set(membership.topic, membership);
      return member;
    },
    {
      process: async (events) => {
        batches.push(events.map(({ topic }) => topic).sort());
        await delay(30);
      },
    },
  );
  for (const reader of readers) reader.start();
  await eventually(() => Promise.all(readers.map((reader) => reader.ready())));
  const names = [topics.mailAccepted.name, topics.deliverySettled.name];
  const [accepted, settled] = names.map((topic) => () => memberships.get(topic)?.process([encodedEvent(topic)]));
  await Promise.all([accepted?.(), settled?.()]);
  expect(batches).toEqual([[...names].sort()]);
  // The brokers answer one of them somewhat later. Where the machine pauses for longer than they wait for each other, it is tried again; if they
  // did not wait, no try would succeed.
  await eventually(
    async () => {
      batches.length = 0;
      await Promise.all([accepted?.(), delay(5).then(settled)]);
      expect(batches).toEqual([[...names].sort()]);
    },
    { patienceMs: 10_000 },
  );
  for (const reader of readers) await reader.stop();
});
