import type { Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { noSuchAccount } from "./account-row.ts";

/** Who asks for a change of an account: one of its sessions; without one, somebody who is trusted with all of them. */
export interface Requester {
  accountId: string;
  sessionId?: string | undefined;
}

/** Whatever gives an account a credential waits here for what ends them, and for others of its kind. @throws Refusal NotFound for an account that is gone or disabled */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  const { rowCount } = await tx.query("select from account where id = $1 and disabled_at is null for update", [
    accountId,
  ]);
  if (rowCount === 0) throw noSuchAccount();
}

/**
 * The same for what somebody asks for: a reset of the password, which locks the account as well, ends sessions, and none of these gets
 * anything that outlives it, or takes anything away. @throws Refusal FreshProofRequired where the session has ended; NotFound
 */
export async function lockAccountFor(tx: Transaction, { accountId, sessionId }: Requester): Promise<void> {
  await lockAccount(tx, accountId);
  if (sessionId === undefined) return;
  const { rowCount } = await tx.query("select from session where id = $1 and account_id = $2", [sessionId, accountId]);
  if (rowCount === 0) throw sessionEnded();
}

export function sessionEnded(): Refusal {
  return new Refusal("FreshProofRequired", { public: "This session has ended: sign in, and try again." });
}
