import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { openDatabase } from "../db/database.ts";
import { createLogger } from "../telemetry/logger.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { ConsumerGroup, ConsumerGroupQueue } from "./consumer-group.ts";
import type { KafkaClient } from "./kafka-client.ts";
import type { KafkaMember } from "./kafka-member.ts";
import { KafkaReader } from "./kafka-reader.ts";
import { encodedEvent } from "./test-support/encoded-event.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
/** Never asked anything. */
const db = openDatabase({ url: "postgres://nobody@127.0.0.1:1/none", schema: "test", logger });
const settings = { name: "test", db, consumers: [], logger, metrics: createMetrics() };
const consumer = {
  topic: topics.mailAccepted,
  group: "mail.accepted",
  pace: "usual" as const,
  handle: async () => undefined,
};

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
  const queue = new ConsumerGroupQueue(new ConsumerGroup(consumer, settings), logger);
  const reader = new KafkaReader({ join: async () => members.shift() ?? sound }, queue, logger, {
    answerMs: 100,
    leaveMs: 100,
  });
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
  const group = new ConsumerGroup(consumer, settings);
  group.process = () => delay(30);
  const queue = new ConsumerGroupQueue(group, logger);
  const join = async (membership: Parameters<KafkaClient["join"]>[0]) => {
    memberships.push(membership);
    return member;
  };
  const reader = new KafkaReader({ join }, queue, logger);
  reader.start();
  await eventually(() => reader.ready());
  await memberships[0]?.process([encodedEvent()]);
  // Node's timers may fire a millisecond early; without the wait it would be 60.
  expect(queue.waitMs).toBeLessThanOrEqual(1);
  await reader.stop();
});
