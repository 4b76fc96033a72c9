import type { Batcher } from "../concurrency/batcher.ts";
import type { Spacing } from "../concurrency/spacing.ts";
import type { Logger } from "../telemetry/logger.ts";
import { eventBatcher } from "./event-batcher.ts";
import { EventProcessor } from "./event-processor.ts";
import type { Consumer, EncodedEvent, Pace, ServiceEventsSettings } from "./types.ts";

/** By pace: how far apart batches begin under load. */
const spacings: Readonly<Record<Pace, Spacing>> = {
  prompt: { times: 2, atMostMs: 5 },
  usual: { times: 3, atMostMs: 100 },
  patient: { times: 50, atMostMs: 500 },
};

/** Where a handler takes several topics, how long before its next batch they are asked for: so all of them are in it. */
const meetingMs = 25;

/** What waits for one handler in this process, whichever bus it came by. */
export class ConsumerQueue {
  readonly processor: EventProcessor;
  readonly #batches: Batcher<EncodedEvent, undefined>;

  constructor(processor: EventProcessor, logger: Logger) {
    this.processor = processor;
    this.#batches = eventBatcher(
      processor.name,
      logger,
      (events, signal) => processor.process(events, signal),
      spacings[processor.handler.pace],
    );
  }

  /**
   * Hands over events that are processed in one batch: at most `batchLimit`, or what one transaction has published. Resolves once they have been
   * processed. @throws AbortError if `stop` comes first.
   */
  async push(events: readonly EncodedEvent[]): Promise<void> {
    await this.#batches.submitAll(events, this.#spacingOf(events));
  }

  /** In how many milliseconds further events like these are worth asking for: before, they would wait here. */
  readAgainInMs(events: readonly EncodedEvent[]): number {
    const waitMs = this.#batches.waitMs(this.#spacingOf(events));
    return this.processor.groups.length > 1 ? Math.max(0, waitMs - meetingMs) : waitMs;
  }

  #spacingOf(events: readonly EncodedEvent[]): Spacing {
    return spacings[this.processor.isAwaited(events) ? "usual" : this.processor.handler.pace];
  }

  stop(): Promise<void> {
    return this.#batches.stop();
  }
}

/** One queue for each handler of a service. */
export function consumerQueues(settings: ServiceEventsSettings): ConsumerQueue[] {
  const byHandler = Map.groupBy(settings.consumers, ({ handler }) => handler);
  return [...byHandler.values()].map((consumers) => {
    const processor = new EventProcessor(consumers as [Consumer, ...Consumer[]], settings);
    return new ConsumerQueue(processor, settings.logger);
  });
}
