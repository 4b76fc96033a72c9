import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { deletionTask } from "../../platform/runtime/deletion-task.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** A request to send mail, by the digests of its Idempotency-Key and its content, and the email that it made. */
export interface SendRequest {
  readonly ownerId: string;
  readonly keyDigest: Buffer;
  readonly bodyDigest: Buffer;
  readonly emailId: string;
}

const newRequests = recordSet({ ownerId: "uuid", emailId: "uuid", keyDigest: "bytea", bodyDigest: "bytea" });
const keptDays = 7;

/** @returns for each whether it is new; what is no request is */
export async function recordNewRequests(
  tx: Transaction,
  requests: readonly (SendRequest | undefined)[],
): Promise<boolean[]> {
  const given = requests.filter((request) => request !== undefined);
  if (given.length === 0) return requests.map(() => true);
  const { rows } = await tx.query<{ emailId: string }>(
    `insert into sent_request (${newRequests.columns}) select * from ${newRequests.from("request")} order by owner_id, key_digest
     on conflict do nothing returning email_id`,
    newRequests.params(given),
    { name: "sent_request_insert" },
  );
  const fresh = new Set(rows.map(({ emailId }) => emailId));
  return requests.map((request) => request === undefined || fresh.has(request.emailId));
}

/** Deletes the keys of requests more than seven days old. */
export function expireIdempotencyKeys(db: Database, logger: Logger): PollingTask {
  return deletionTask({
    name: "idempotency-keys",
    db,
    logger,
    statement: `delete from sent_request where ctid = any (array(
           select ctid from sent_request where sent_at < now() - make_interval(days => $2) limit $1))`,
    params: [keptDays],
  });
}
