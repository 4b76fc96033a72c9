import type { Database } from "../../platform/db/types.ts";
import { LeasedRows, type LeasedTable } from "../../platform/jobs/leased-rows.ts";
import { LeasedWork } from "../../platform/jobs/leased-work.ts";
import { withSpan } from "../../platform/telemetry/spans.ts";
import { type AttemptOptions, attemptDelivery } from "./attempt-delivery.ts";
import type { Delivery } from "./delivery.ts";
import { type Ending, recordEndings } from "./record-attempts.ts";

export interface DeliveryWorkOptions extends AttemptOptions {
  db: Database;
  table: LeasedTable<Delivery>;
  onEnding(delivery: Delivery, ending: Ending): void;
}

/** Sends what is due. */
export function deliveryWork(options: DeliveryWorkOptions): LeasedWork<Delivery, Ending> {
  const { db, table, workerId, onEnding, logger } = options;
  return new LeasedWork({
    name: "deliveries",
    table,
    leases: new LeasedRows(db, table, workerId),
    prepare: async () => (delivery) => deliverInTrace(delivery, options),
    record: (endings) => recordEndings(db, endings),
    onEnding,
    logger,
  });
}

function deliverInTrace(delivery: Delivery, options: AttemptOptions): Promise<Ending> {
  const { id, emailId, attemptCount, trace } = delivery;
  const ids = { "postern.delivery_id": id, ...(emailId === null ? {} : { "postern.email_id": emailId }) };
  const attributes = { ...ids, "postern.attempt": attemptCount + 1 };
  return withSpan("delivery", { parent: trace, attributes }, async (span) => {
    const ending = await attemptDelivery(delivery, options);
    span.setAttribute("postern.delivery.state", ending.state);
    return ending;
  });
}
