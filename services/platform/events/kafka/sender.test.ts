import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { eventually } from "../../../../test/support/eventually.ts";
import { Outage } from "../../errors.ts";
import { createLogger, type Logger } from "../../telemetry/logger.ts";
import { encodedEvent } from "../test-support/encoded-event.ts";
import type { KafkaProducer } from "./client.ts";
import { KafkaSender } from "./sender.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const limits = { answerMs: 100, leaveMs: 100 };
const event = encodedEvent();
const brokers = ["kafka.example:9092"];

const never = () => new Promise<never>(() => undefined);

test.each<[string, Partial<KafkaProducer>]>([
  ["sending", { send: never }],
  ["closing", { send: () => Promise.reject(new Error("not the leader")), close: never }],
  ["either", { send: never, close: never }],
])("events are sent by another producer where one is never done with %s", async (_, stuck) => {
  const sent: string[] = [];
  const sound: KafkaProducer = {
    send: async (events) => void sent.push(...events.map(({ id }) => id)),
    close: async () => undefined,
  };
  const producers = [{ ...sound, ...stuck }];
  const sender = new KafkaSender({ brokers, producer: async () => producers.shift() ?? sound }, logger, limits);
  await sender.send([event]);
  expect(sent).toEqual([event.id]);
  await sender.stop();
});

test("a producer that is never connected is given up, and closed if it is after all", async () => {
  const late = Promise.withResolvers<KafkaProducer>();
  const closed = Promise.withResolvers<void>();
  const producers = [late.promise];
  const sound: KafkaProducer = { send: async () => undefined, close: async () => undefined };
  const sender = new KafkaSender(
    { brokers, producer: () => producers.shift() ?? Promise.resolve(sound) },
    logger,
    limits,
  );
  await sender.send([event]);
  late.resolve({ ...sound, close: async () => closed.resolve() });
  await closed.promise;
  await sender.stop();
});

test.each<[string, () => Promise<KafkaProducer>]>([
  ["connects", never],
  ["sends, nor closes", async () => ({ send: never, close: never })],
])("a stop ends though a producer never %s, and what was not acknowledged is refused", async (_, producer) => {
  const sender = new KafkaSender({ brokers, producer }, logger, {
    answerMs: 3_600_000,
    leaveMs: 3_600_000,
    stopMs: 100,
  });
  const sending = expect(sender.send([event])).rejects.toMatchObject({ name: "AbortError" });
  // It is with the producer by then.
  await delay(10);
  await sender.stop();
  await sending;
});

describe("the log", () => {
  const lines: unknown[] = [];
  const say = (...line: unknown[]) => void lines.push(line);
  const writing = { ...logger, info: say, warn: say, child: () => writing } as Logger;
  const sound: KafkaProducer = { send: async () => undefined, close: async () => undefined };
  const resumed = [{}, "sending to Kafka resumed"];
  beforeEach(() => void lines.splice(0));

  test("tells of an outage once, and when it is over", async () => {
    const refused = new Outage("broker", { cause: new Error("connect ECONNREFUSED") });
    let failures = 0;
    const producer = async () => {
      failures += 1;
      if (failures < 4) throw refused;
      return sound;
    };
    const sender = new KafkaSender({ brokers, producer }, writing, limits);
    sender.start();
    await eventually(() => sender.ready());
    await sender.send([event]);
    expect(lines).toEqual([[{ err: refused }, "cannot send to Kafka, retrying"], resumed]);
    await sender.stop();
  });

  test("names the brokers that do not answer before kafkajs has given them up", async () => {
    const connecting = Promise.withResolvers<KafkaProducer>();
    const sender = new KafkaSender({ brokers, producer: () => connecting.promise }, writing);
    sender.start(1);
    const outage = expect.objectContaining({ operatorMessage: "KAFKA_BROKERS: kafka.example:9092" });
    const warning = [{ err: outage }, "cannot send to Kafka, retrying"];
    await eventually(async () => expect(lines).toEqual([warning]));
    connecting.resolve(sound);
    await sender.send([event]);
    expect(lines).toEqual([warning, resumed]);
    await sender.stop();
  });
});
