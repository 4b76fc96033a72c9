import { aborted } from "../../concurrency/aborted.ts";
import { backoffMs, sleep } from "../../concurrency/retry.ts";
import { Outage } from "../../errors.ts";
import type { ConsumerGroup } from "../consumer-group.ts";
import type { ConsumerQueue } from "../consumer-queue.ts";
import type { EncodedEvent } from "../types.ts";
import type { KafkaClient } from "./client.ts";
import { answerWithin, type KafkaLimits, kafkaLimits, leaveWithin, StopPatience } from "./limits.ts";
import type { KafkaMember } from "./member.ts";
import type { ReadingOutages } from "./reading-outages.ts";

const backoff = { firstMs: 200, maxMs: 5_000 };

interface ReaderSettings {
  readonly client: Pick<KafkaClient, "join">;
  readonly group: ConsumerGroup;
  /** Other groups' events may go there as well. */
  readonly queue: ConsumerQueue;
  /** Of all readers of the service. */
  readonly outages: ReadingOutages;
  /** Default `kafkaLimits`. */
  readonly limits?: KafkaLimits;
  /** Of all that sends and reads in this process. */
  readonly patience?: StopPatience;
}

/** Reads a topic for one group, over and over: when a membership ends, for any reason, another begins. */
export class KafkaReader {
  readonly #client: Pick<KafkaClient, "join">;
  readonly #group: ConsumerGroup;
  readonly #queue: ConsumerQueue;
  readonly #limits: KafkaLimits;
  readonly #patience: StopPatience;
  readonly #outages: ReadingOutages;
  readonly #stopping = new AbortController();
  #member: KafkaMember | undefined;
  #running: Promise<void> | undefined;
  #left: Promise<unknown> = Promise.resolve();

  constructor({
    client,
    group,
    queue,
    outages,
    limits = kafkaLimits,
    patience = new StopPatience(limits),
  }: ReaderSettings) {
    this.#client = client;
    this.#group = group;
    this.#queue = queue;
    this.#limits = limits;
    this.#patience = patience;
    this.#outages = outages;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** @throws Outage while it is no member of its group. */
  async ready(): Promise<void> {
    if (!this.#member?.isJoined)
      throw new Outage("broker", { operator: `${this.#group.name} has not joined its group` });
  }

  /** Begins to leave the group: what it has fetched is taken and committed, and nothing more is asked for. `stop` waits for it. */
  leave(): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#outages.end();
    this.#left = Promise.all([this.#member?.stop(), this.#running]);
    // Nobody may wait for it yet.
    this.#left.catch(() => undefined);
  }

  /** Finishes the transaction in progress, commits its offsets, leaves the group; these two not of brokers that say nothing: the inbox drops what comes again. */
  async stop(): Promise<void> {
    this.leave();
    await Promise.all([this.#queue.stop(), this.#patience.wait(this.#left)]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      const reason = await this.#belong(() => {
        this.#outages.joined(this.#group.name);
        failures = 0;
      });
      if (signal.aborted) return;
      failures += 1;
      this.#outages.failed(this.#group.name, reason);
      await sleep(backoffMs(failures, backoff), signal).catch(() => undefined);
    }
  }

  /** Resolves once further events hardly have to wait: so those that come meanwhile are fetched together, and wait at the broker alone. */
  async #process(events: readonly EncodedEvent[]): Promise<void> {
    await this.#queue.push(events);
    await sleep(this.#queue.readAgainInMs(events), this.#stopping.signal).catch(() => undefined);
  }

  /** One membership from its beginning to its end; returns what ended it. */
  async #belong(onJoined: () => void): Promise<unknown> {
    const { signal } = this.#stopping;
    const { topic, name: group } = this.#group;
    try {
      const joining = this.#client.join({ topic, group, process: (events) => this.#process(events) });
      const member = await answerWithin(this.#limits, joining, { discard: (late) => late.stop() });
      this.#member = member;
      if (member.isJoined) onJoined();
      const reason = await Promise.race([member.failed, aborted(signal)]);
      await leaveWithin(this.#limits, member.stop());
      return reason;
    } catch (error) {
      return error;
    } finally {
      this.#member = undefined;
    }
  }
}
