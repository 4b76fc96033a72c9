import { openDatabase } from "../../db/database.ts";
import { createLogger } from "../../telemetry/logger.ts";
import { createMetrics } from "../../telemetry/metrics.ts";
import { JobWorker } from "../job-worker.ts";
import { type TestJob, testJobTable } from "./test-jobs.ts";

// A process whose jobs never end, to be killed: node worker-process.ts URL SCHEMA WORKER_ID. Says which jobs it began, a line each.

const [url = "", schema = "", workerId = ""] = process.argv.slice(2);
const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const worker = new JobWorker<TestJob, TestJob>({
  name: "test-jobs",
  db: openDatabase({ url, schema, logger }),
  table: testJobTable,
  workerId,
  prepare: async () => async (testJob) => {
    process.stdout.write(`${testJob.id}\n`);
    return new Promise(() => undefined);
  },
  record: async () => undefined,
  onRecorded: () => undefined,
  logger,
  metrics: createMetrics(),
});
worker.start();
