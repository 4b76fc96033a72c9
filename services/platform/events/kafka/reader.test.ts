import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { topics } from "../../../../proto/topics.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { openDatabase } from "../../db/database.ts";
import { createLogger } from "../../telemetry/logger.ts";
import { createMetrics } from "../../telemetry/metrics.ts";
import { consumer, jointConsumers } from "../consumer.ts";
import { ConsumerQueue } from "../consumer-queue.ts";
import { EventProcessor } from "../event-processor.ts";
import { encodedEvent } from "../test-support/encoded-event.ts";
import type { Consumer } from "../types.ts";
import type { KafkaClient } from "./client.ts";
import type { KafkaLimits } from "./limits.ts";
import type { KafkaMember } from "./member.ts";
import { KafkaReader } from "./reader.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
/** Never asked anything. */
const db = openDatabase({ url: "postgres://nobody@127.0.0.1:1/none", schema: "test", logger });
const settings = { name: "test", db, consumers: [], logger, metrics: createMetrics() };
const ignoring = consumer(topics.mailAccepted, async () => undefined);

function readersOf(
  consumers: readonly [Consumer, ...Consumer[]],
  join: KafkaClient["join"],
  process?: EventProcessor["process"],
  limits?: KafkaLimits,
) {
  const processor = new EventProcessor(consumers, settings);
  if (process) processor.process = process;
  const queue = new ConsumerQueue(processor, logger);
  const readers = processor.groups.map(
    (group) => new KafkaReader({ client: { join }, group, queue, logger, ...(limits && { limits }) }),
  );
  return { queue, readers };
}

function readerOf(join: KafkaClient["join"], process?: EventProcessor["process"], limits?: KafkaLimits) {
  const { queue, readers } = readersOf([ignoring], join, process, limits);
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
  const sound: KafkaMember = { failed: new Promise(() => undefined), isJoined: true, stop: async () => undefined };
  const members = [joining.promise, stuck, sound];
  const limits = { answerMs: 100, leaveMs: 100 };
  const { reader } = readerOf(async () => members.shift() ?? sound, undefined, limits);
  reader.start();
  await eventually(() => reader.ready());
  expect(members).toEqual([]);
  joining.resolve({ ...sound, stop: async () => left.resolve() });
  await left.promise;
  await reader.stop();
});

test("events are handed over no sooner than the next would be taken, so that they are fetched together", async () => {
  const memberships: Parameters<KafkaClient["join"]>[0][] = [];
  const member: KafkaMember = { failed: new Promise(() => undefined), isJoined: true, stop: async () => undefined };
  const join = async (membership: Parameters<KafkaClient["join"]>[0]) => {
    memberships.push(membership);
    return member;
  };
  const { queue, reader } = readerOf(join, () => delay(30));
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
    async (events) => {
      batches.push(events.map(({ topic }) => topic).sort());
      await delay(30);
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
