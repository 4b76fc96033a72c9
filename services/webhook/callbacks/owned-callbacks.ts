import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { retryNow } from "../../platform/jobs/retry-now.ts";
import type { CallAttempt } from "../calls/call.ts";
import type { Callback as CallbackView } from "../contract.ts";
import { callbackJobs } from "./callback.ts";

interface OwnedRow {
  emailId: string;
  url: string;
  state: "waiting" | "delivered" | "given_up" | "cancelled";
  attempts: CallAttempt[];
  dueAt: Date;
}

/** The callbacks of the owner's emails asked for, oldest first. */
export async function ownedCallbacks(
  db: Database,
  ownerId: string,
  emailIds: readonly string[],
): Promise<z.input<typeof CallbackView>[]> {
  const { rows } = await db.query<OwnedRow>(
    `select email_id, url, state, attempts, due_at from callback
     where email_id = any ($2::uuid[]) and owner_id = $1 order by email_id`,
    [ownerId, emailIds.filter(isId)],
  );
  return rows.map(({ emailId, url, state, attempts, dueAt }) => ({
    emailId,
    url,
    state,
    attempts,
    nextAttemptAt: state === "waiting" ? dueAt.toISOString() : null,
  }));
}

/** Makes a callback due at once that waits or was given up. @throws Refusal NotFound */
export async function retryCallback(db: Database, ownerId: string, emailId: string): Promise<void> {
  const where = "owner_id = $1 and email_id = $2";
  const count = isId(emailId)
    ? await retryNow(db, callbackJobs, { where, endedIn: ["given_up"] }, [ownerId, emailId])
    : 0;
  if (count === 0) throw new Refusal("NotFound", { public: "There is no such callback that could be tried again." });
}

/** The same for all of these emails that failed or wait. @returns how many */
export function retryCallbacks(db: Database, ownerId: string, emailIds: readonly string[]): Promise<number> {
  const where = "owner_id = $1 and email_id = any ($2::uuid[])";
  return retryNow(db, callbackJobs, { where, endedIn: ["given_up"] }, [ownerId, emailIds.filter(isId)]);
}
