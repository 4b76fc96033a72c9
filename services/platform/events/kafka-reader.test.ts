import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { openDatabase } from "../db/database.ts";
import { createLogger } from "../telemetry/logger.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { consumer } from "./consumer.ts";
import { ConsumerQueue } from "./consumer-queue.ts";
import { EventProcessor } from "./event-processor.ts";
import type { KafkaClient } from "./kafka-client.ts";
import type { KafkaLimits } from "./kafka-limits.ts";
import type { KafkaMember } from "./kafka-member.ts";
import { KafkaReader } from "./kafka-reader.ts";
import { encodedEvent } from "./test-support/encoded-event.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
/** Never asked anything. */
const db = openDatabase({ url: "postgres://nobody@127.0.0.1:1/none", schema: "test", logger });
const settings = { name: "test", db, consumers: [], logger, metrics: createMetrics() };
const ignoring = consumer(topics.mailAccepted, async () => undefined);

function readerOf(join: KafkaClient["join"], process?: EventProcessor["process"], limits?: KafkaLimits) {
  const processor = new EventProcessor([ignoring], settings);
  if (process) processor.process = process;
  const queue = new ConsumerQueue(processor, logger);
  const [group] = processor.groups;
  if (!group) throw new Error("the processor has no group");
  return { queue, reader: new KafkaReader({ client: { join }, group, queue, logger, ...(limits && { limits }) }) };
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
  expect(queue.waitMs([])).toBeLessThanOrEqual(1);
  await reader.stop();
});
