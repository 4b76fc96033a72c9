import { PollingWork, type Work } from "../runtime/polling-work.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { BlobStore } from "./types.ts";

const intervalMs = 10 * 60_000;

/** Drops what no service has come to need, every ten minutes. Any number of processes may do so at once. */
export function blobSweeping(blobs: BlobStore, logger: Logger): Work {
  const run = async () => {
    await blobs.sweep();
    return false;
  };
  return new PollingWork({ name: "sweep blobs", intervalMs, logger, run });
}
