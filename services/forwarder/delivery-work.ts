import type { Database } from "../platform/db/types.ts";
import { LeasedRows, type LeasedTable } from "../platform/leases/leased-rows.ts";
import { LeasedWork } from "../platform/leases/leased-work.ts";
import { type AttemptOptions, attemptDelivery } from "./attempt.ts";
import type { Delivery } from "./delivery.ts";
import { type Ending, recordEndings } from "./settle.ts";

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
    prepare: async () => (delivery) => attemptDelivery(delivery, options),
    record: (endings) => recordEndings(db, endings),
    onEnding,
    logger,
  });
}
