import { Batcher } from "../concurrency/batcher.ts";
import type { Spacing } from "../concurrency/spacing.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { EncodedEvent } from "./types.ts";

/**
 * Events that are handed over together at most, and that are processed together. In a flood about as many come between two batches of the
 * slowest pace as go into one: what is left over waits for the next, and an outcome apart from its email is written by itself.
 */
export const batchLimit = 1_000;

const repeatAfterMs = 1_000;

/**
 * Events in order, one batch at a time. `process` ends each batch: it waits outages out, and sets events aside that fail. So a
 * failure of its own is a bug: it is logged, and the batch is repeated.
 */
export function eventBatcher(
  name: string,
  logger: Logger,
  process: (batch: readonly EncodedEvent[], stopping: AbortSignal) => Promise<void>,
  spacing?: Spacing,
): Batcher<EncodedEvent, undefined> {
  return new Batcher({
    slots: 1,
    maxItems: batchLimit,
    spacing,
    onFailure: {
      afterMs: repeatAfterMs,
      onError: (error) => logger.error({ consumer: name, err: error }, "batch failed unexpectedly, retrying"),
    },
    run: async (events, stopping) => {
      await process(events, stopping);
      return events.map(() => undefined);
    },
  });
}
