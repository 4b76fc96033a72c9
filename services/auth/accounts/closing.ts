import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AccountClosedSchema } from "../../../proto/gen/postern/auth/v1/account_closed_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { event, publish } from "../../platform/events/outbox.ts";

/**
 * Removes an account and all that auth keeps of it, and has the other services remove what they keep (account.closed).
 * @throws Refusal NotFound
 */
export async function closeAccount(db: Database, accountId: string): Promise<void> {
  await db.tx(async (tx) => {
    // Sessions, tokens, factors, secrets and links go with it.
    const { rowCount } = await tx.query(`delete from account where id = $1`, [accountId]);
    if (rowCount === 0) throw new Refusal("NotFound", { public: "There is no such account." });
    const closed = create(AccountClosedSchema, { accountId, closedAt: timestampFromDate(new Date()) });
    await publish(tx, event(topics.accountClosed, closed));
  });
}
