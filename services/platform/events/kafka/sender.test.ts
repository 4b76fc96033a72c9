import { expect, test } from "@jest/globals";
import { createLogger } from "../../telemetry/logger.ts";
import { encodedEvent } from "../test-support/encoded-event.ts";
import type { KafkaProducer } from "./client.ts";
import { KafkaSender } from "./sender.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const limits = { answerMs: 100, leaveMs: 100 };
const event = encodedEvent();

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
  const sender = new KafkaSender({ producer: async () => producers.shift() ?? sound }, logger, limits);
  await sender.send([event]);
  expect(sent).toEqual([event.id]);
  await sender.stop();
});

test("a producer that is never connected is given up, and closed if it is after all", async () => {
  const late = Promise.withResolvers<KafkaProducer>();
  const closed = Promise.withResolvers<void>();
  const producers = [late.promise];
  const sound: KafkaProducer = { send: async () => undefined, close: async () => undefined };
  const sender = new KafkaSender({ producer: () => producers.shift() ?? Promise.resolve(sound) }, logger, limits);
  await sender.send([event]);
  late.resolve({ ...sound, close: async () => closed.resolve() });
  await closed.promise;
  await sender.stop();
});
