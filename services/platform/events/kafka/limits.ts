import { setTimeout as delay } from "node:timers/promises";
import { Outage } from "../../errors.ts";

/** How long kafkajs is waited for. It may never be done: where a connection goes while something else begins to use it, and while it joins a group. */
export interface KafkaLimits {
  /** For a request with all that it takes: connections, what the brokers have, repetitions. */
  readonly answerMs: number;
  /** For closing and leaving. What goes on behind our back does no harm: inboxes drop what comes twice. */
  readonly leaveMs: number;
  /** For the same while the process stops. Default 3,000. */
  readonly stopMs?: number;
}

export const kafkaLimits: KafkaLimits = { answerMs: 60_000, leaveMs: 10_000 };

/** How long those that stop later wait for brokers that had nothing to say to those before. */
const silentMs = 200;

/** How long what stops in a process waits for the brokers. Services stop one after the other: where one has found them silent, the next hardly wait. */
export class StopPatience {
  readonly #stopMs: number;
  #areSilent = false;

  constructor({ stopMs = 3_000 }: KafkaLimits = kafkaLimits) {
    this.#stopMs = stopMs;
  }

  get limitMs(): number {
    return this.#areSilent ? silentMs : this.#stopMs;
  }

  /** Waits until it is done, or patience is over. @throws what `work` throws */
  async wait(work: Promise<unknown>): Promise<void> {
    const outcome = await orLate(work, this.limitMs);
    this.#areSilent ||= outcome === late;
  }
}

const late = Symbol();

interface Asking<T> {
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** Is given what comes after the limit. */
  discard?(result: T): unknown;
}

/** @throws Outage once the limit or the wait is over, and what `asked` throws */
export async function answerWithin<T>(
  { answerMs }: KafkaLimits,
  asked: Promise<T>,
  { signal, discard = () => undefined }: Asking<T> = {},
): Promise<T> {
  const result = await orLate(asked, answerMs, signal);
  if (result !== late) return result;
  asked.then(discard).catch(() => undefined);
  throw new Outage("broker", { operator: `Kafka's client was not done within ${answerMs / 1_000} s` });
}

/** Waits until it has left, or until the limit is over. @throws what `leaving` throws */
export async function leaveWithin({ leaveMs }: KafkaLimits, leaving: Promise<unknown> | undefined): Promise<void> {
  await orLate(leaving, leaveMs);
}

async function orLate<T>(work: T | Promise<T>, limitMs: number, ended?: AbortSignal): Promise<T | typeof late> {
  const given = new AbortController();
  const limit = delay(limitMs, late, { ref: false, signal: given.signal });
  const end = Promise.withResolvers<typeof late>();
  ended?.addEventListener("abort", () => end.resolve(late), { signal: given.signal });
  if (ended?.aborted) end.resolve(late);
  return Promise.race([work, limit, end.promise]).finally(() => given.abort());
}
