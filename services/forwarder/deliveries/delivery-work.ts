import type { Database } from "../../platform/db/types.ts";
import type { JobTable } from "../../platform/jobs/job-claims.ts";
import { JobWorker } from "../../platform/jobs/job-worker.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { withSpan } from "../../platform/telemetry/spans.ts";
import { type AttemptOptions, attemptDelivery } from "./attempt-delivery.ts";
import type { Delivery } from "./delivery.ts";
import { PostponementLog } from "./postponement-log.ts";
import { type DeliveryResult, recordDeliveryResults } from "./record-results.ts";

interface DeliveryWorkOptions extends Omit<AttemptOptions, "postponements"> {
  db: Database;
  metrics: Metrics;
  table: JobTable<Delivery>;
  onResult(delivery: Delivery, result: DeliveryResult): void;
}

/** Sends what is due. */
export function deliveryWork(options: DeliveryWorkOptions): JobWorker<Delivery, DeliveryResult> {
  const { db, table, workerId, onResult, logger, metrics } = options;
  const attempts = { ...options, postponements: new PostponementLog(logger) };
  return new JobWorker({
    name: "deliveries",
    db,
    table,
    workerId,
    prepare: async () => (delivery) => attemptInTrace(delivery, attempts),
    record: (results) => recordDeliveryResults(db, results),
    onRecorded: onResult,
    logger,
    metrics,
  });
}

function attemptInTrace(delivery: Delivery, options: AttemptOptions): Promise<DeliveryResult> {
  const { id, kind, attemptCount, trace } = delivery;
  const ids = {
    "postern.delivery_id": id,
    ...(kind !== "notice" ? { "postern.email_id": delivery.emailId } : {}),
  };
  const attributes = { ...ids, "postern.attempt": attemptCount + 1 };
  return withSpan("delivery", { parent: trace, attributes }, async (span) => {
    const result = await attemptDelivery(delivery, options);
    span.setAttribute("postern.delivery.state", result.state);
    return result;
  });
}
