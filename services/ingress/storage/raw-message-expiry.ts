import { topics } from "../../../proto/topics.ts";
import { hourMs } from "../../platform/durations.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { Consumer } from "../../platform/events/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { RawMessages } from "./raw-messages.ts";

/** Deletes a raw message once each of its emails was released. */
export function mailReleasedConsumer(rawMessages: RawMessages): Consumer {
  return consumer({
    topic: topics.mailReleased,
    pace: "patient",
    handle: (tx, events) =>
      rawMessages.release(
        tx,
        events.map((event) => event.message),
      ),
  });
}

/** Deletes raw messages after RAW_RETENTION_DAYS, whether or not they were released. */
export function expireRawMessages(rawMessages: RawMessages, retentionDays: number, logger: Logger): PollingTask {
  return new PollingTask({
    name: "raw-expiry",
    intervalMs: hourMs,
    logger,
    run: () => rawMessages.expire(retentionDays),
  });
}
