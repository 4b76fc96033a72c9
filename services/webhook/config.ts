import { defineConfig, durations, integer } from "../platform/config.ts";
import { callbackTargetsConfig, nameServersConfig } from "../platform/net/config.ts";

/** 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours: the schedule that Standard Webhooks gives as its example. Exported for tests. */
export const defaultRetriesS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

export const webhookConfig = defineConfig({
  ...callbackTargetsConfig,
  ...nameServersConfig,
  CALLBACK_RETRY_S: durations(defaultRetriesS.join(",")).describe(
    "Seconds after each failed attempt; after the last one the callback is given up",
  ),
  CALLBACK_CONCURRENCY: integer(200, { min: 1, max: 5_000 }).describe("Callbacks in flight at once in one process"),
  CALLBACK_PER_HOST: integer(20, { min: 1, max: 1_000 }).describe(
    "Of these, how many to one host: one that does not answer takes no more room than that",
  ),
  CALLBACK_BODIES_MB: integer(64, { min: 1, max: 10_000 }).describe(
    "Megabytes of long callback bodies (over 256 KiB) in memory at once in one process; one account gets at most half of them",
  ),
  CALLBACK_LEASE_S: integer(30, { min: 1, max: 3_600 }).describe(
    "After how many seconds without a renewal another worker takes a callback over",
  ),
  QUOTA_RECORDERS: integer(100, { min: 1 }).describe("Test recorders per account"),
  QUOTA_RECORDED_MB: integer(1_000, { min: 11, max: 1_000_000 }).describe(
    "Megabytes of calls that the recorders of an account keep, all together; beyond it the oldest ones go",
  ),
  CALLBACK_KEEP_DAYS: integer(30, { min: 1, max: 3_650 }).describe(
    "How long what became of a callback is kept once it is settled, in days",
  ),
});
