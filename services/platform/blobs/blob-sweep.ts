import { type BackgroundTask, PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { BlobStore } from "./types.ts";

const intervalMs = 10 * 60_000;

/** Drops what no service has come to need, every ten minutes. Any number of processes may do so at once. */
export function blobSweep(blobs: BlobStore, logger: Logger): BackgroundTask {
  const run = async () => {
    await blobs.sweep();
    return false;
  };
  return new PollingTask({ name: "sweep blobs", intervalMs, logger, run });
}
