import type { Batcher } from "../../concurrency/batcher.ts";
import { OutageLog } from "../../concurrency/outage-log.ts";
import { throughOutages } from "../../concurrency/retry.ts";
import { Outage } from "../../errors.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { eventBatcher } from "../event-batcher.ts";
import type { EncodedEvent, EventSink } from "../types.ts";
import { partsOf } from "./batches.ts";
import type { KafkaClient, KafkaProducer } from "./client.ts";
import { answerWithin, type KafkaLimits, kafkaLimits, leaveWithin, StopPatience } from "./limits.ts";
import { brokerOutage } from "./outage.ts";

const backoff = { firstMs: 200, maxMs: 5_000 };
/** Under load, requests begin up to this far apart. An event that comes alone does not wait. */
const spacing = { times: 5, atMostMs: 50 };
/** How long brokers may be silent at the start before the log tells of it: kafkajs tries for longer. */
const defaultQuietMs = 5_000;

/** Sends an outbox to Kafka: one batch after the other, each as often as it takes. */
export class KafkaSender implements EventSink {
  readonly #client: Pick<KafkaClient, "producer" | "brokers">;
  readonly #logger: Logger;
  readonly #limits: KafkaLimits;
  readonly #patience: StopPatience;
  /** Ends the wait for the brokers. */
  readonly #givingUp = new AbortController();
  /** One batch after the other, in order: a batch that fails stays the first. */
  readonly #queue: Batcher<EncodedEvent, undefined>;
  #producer: KafkaProducer | undefined;
  readonly #outage: OutageLog;
  #quietTimer: NodeJS.Timeout | undefined;

  /** @param patience of all that sends and reads in this process */
  constructor(
    client: Pick<KafkaClient, "producer" | "brokers">,
    logger: Logger,
    limits = kafkaLimits,
    patience = new StopPatience(limits),
  ) {
    this.#client = client;
    this.#logger = logger;
    this.#limits = limits;
    this.#patience = patience;
    const [lost, back] = ["cannot send to Kafka, retrying", "sending to Kafka resumed"];
    this.#outage = new OutageLog({ logger, lost, back });
    this.#queue = eventBatcher("the sender", logger, (events, signal) => this.#send(events, signal), spacing);
  }

  /** Connects before there is anything to send. */
  start(quietMs = defaultQuietMs): void {
    this.#quietTimer = setTimeout(() => {
      if (!this.#producer) this.#outage.met(brokerOutage(this.#client.brokers, new Error("no answer yet")));
    }, quietMs).unref();
    this.send([]).catch((error: unknown) =>
      this.#logger.debug({ err: error }, "stopped before the broker was reached"),
    );
  }

  /** @throws Outage while there is no connection. */
  async ready(): Promise<void> {
    if (!this.#producer) throw new Outage("broker");
  }

  async send(events: readonly EncodedEvent[]): Promise<void> {
    await this.#queue.submitAll(events);
  }

  /** Waits until the batch in progress is acknowledged, or abandons it if the broker is unreachable or silent: its rows stay in the outbox. */
  async stop(): Promise<void> {
    clearTimeout(this.#quietTimer);
    const stopped = this.#queue.stop();
    await this.#patience.wait(stopped);
    this.#givingUp.abort();
    await stopped;
    await this.#discard();
  }

  /** After a failure it is unknown what the broker has: a new producer sends all of it again, and the inboxes drop what comes twice. */
  #send(events: readonly EncodedEvent[], signal: AbortSignal): Promise<void> {
    const givingUp = this.#givingUp.signal;
    const discard = (late: KafkaProducer) => late.close();
    const attempt = async () => {
      try {
        this.#producer ??= await answerWithin(this.#limits, this.#client.producer(), { signal: givingUp, discard });
        for (const part of partsOf(events))
          await answerWithin(this.#limits, this.#producer.send(part), { signal: givingUp });
        this.#outage.over();
      } catch (error) {
        await this.#discard();
        throw error;
      }
    };
    return throughOutages(attempt, {
      signal,
      backoff,
      isOutage: () => true,
      onOutage: (error) => {
        if (!givingUp.aborted) this.#outage.met(error);
      },
      onRecovery: () => undefined,
    });
  }

  async #discard(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    const closed = producer?.close();
    const left =
      this.#givingUp.signal.aborted && closed ? this.#patience.wait(closed) : leaveWithin(this.#limits, closed);
    await left.catch((error: unknown) => this.#logger.debug({ err: error }, "a producer did not close cleanly"));
  }
}
