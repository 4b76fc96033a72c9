import { setTimeout as delay } from "node:timers/promises";
import { Outage } from "../../errors.ts";

/** How long kafkajs is waited for. It may never be done: where a connection goes while something else begins to use it, and while it joins a group. */
export interface KafkaLimits {
  /** For a request with all that it takes: connections, what the brokers have, repetitions. */
  readonly answerMs: number;
  /** For closing and leaving. What goes on behind our back does no harm: inboxes drop what comes twice. */
  readonly leaveMs: number;
}

export const kafkaLimits: KafkaLimits = { answerMs: 60_000, leaveMs: 10_000 };

const late = Symbol();

/** @param discard is given what comes after the limit. @throws Outage once the limit is over, and what `asked` throws */
export async function answerWithin<T>(
  { answerMs }: KafkaLimits,
  asked: Promise<T>,
  discard: (result: T) => unknown = () => undefined,
): Promise<T> {
  const result = await orLate(asked, answerMs);
  if (result !== late) return result;
  asked.then(discard).catch(() => undefined);
  throw new Outage("broker", { operator: `Kafka's client was not done within ${answerMs / 1_000} s` });
}

/** Waits until it has left, or until the limit is over. @throws what `leaving` throws */
export async function leaveWithin({ leaveMs }: KafkaLimits, leaving: Promise<unknown> | undefined): Promise<void> {
  await orLate(leaving, leaveMs);
}

async function orLate<T>(work: T | Promise<T>, limitMs: number): Promise<T | typeof late> {
  const given = new AbortController();
  const limit = delay(limitMs, late, { ref: false, signal: given.signal });
  return Promise.race([work, limit]).finally(() => given.abort());
}
