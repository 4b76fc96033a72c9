import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { retryNow } from "../../platform/jobs/retry-now.ts";
import type { Delivery as DeliveryView } from "../contract.ts";
import { deliveryJobs } from "./destinations.ts";
import type { DeliveryAttempt } from "./record-results.ts";

interface OwnedRow {
  id: string;
  emailId: string;
  address: string;
  state: "waiting" | "delivered" | "bounced" | "given_up" | "cancelled";
  attempts: DeliveryAttempt[];
  dueAt: Date;
}

/** The deliveries of the owner's emails asked for, oldest first. */
export async function ownedDeliveries(
  db: Database,
  ownerId: string,
  emailIds: readonly string[],
): Promise<z.input<typeof DeliveryView>[]> {
  const { rows } = await db.query<OwnedRow>(
    `select id, email_id, address, state, attempts, due_at from delivery
     where email_id = any ($2::uuid[]) and owner_id = $1 order by id`,
    [ownerId, emailIds.filter(isId)],
  );
  return rows.map((row) => ({
    id: row.id,
    emailId: row.emailId,
    realAddress: row.address,
    state: row.state,
    attempts: row.attempts.map(({ at, response }) => ({ at: new Date(at).toISOString(), response })),
    nextAttemptAt: row.state === "waiting" ? row.dueAt.toISOString() : null,
  }));
}

/** Makes a delivery due at once that waits, was given up or bounced. @throws Refusal NotFound */
export async function retryDelivery(
  db: Database,
  ownerId: string,
  emailId: string,
  realAddress: string,
): Promise<void> {
  const isPossible = isId(emailId) && realAddress.isWellFormed() && !realAddress.includes("\0");
  const where = "owner_id = $1 and email_id = $2 and lower(address) = lower($3)";
  const count = isPossible
    ? await retryNow(db, deliveryJobs, { where, endedIn: ["given_up", "bounced"] }, [ownerId, emailId, realAddress])
    : 0;
  if (count === 0) throw new Refusal("NotFound", { public: "There is no such delivery that could be tried again." });
}

/** The same for all of these emails that failed or wait. @returns how many deliveries */
export function retryDeliveries(db: Database, ownerId: string, emailIds: readonly string[]): Promise<number> {
  const where = "owner_id = $1 and email_id = any ($2::uuid[])";
  return retryNow(db, deliveryJobs, { where, endedIn: ["given_up", "bounced"] }, [ownerId, emailIds.filter(isId)]);
}
