import type { Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { noSuchAccount } from "./account-row.ts";

/** Whatever gives an account a credential waits here for what ends them, and for others of its kind. @throws Refusal NotFound for an account that is gone or disabled */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  const { rowCount } = await tx.query("select from account where id = $1 and disabled_at is null for update", [
    accountId,
  ]);
  if (rowCount === 0) noSuchAccount();
}

/**
 * To be asked once the account is locked: a reset of the password, which locks it as well, ends sessions, and none of these gets
 * anything that outlives it. @throws Refusal FreshProofRequired
 */
export async function requireSession(tx: Transaction, accountId: string, sessionId: string): Promise<void> {
  const { rowCount } = await tx.query("select from session where id = $1 and account_id = $2", [sessionId, accountId]);
  if (rowCount === 0) throw sessionEnded();
}

export function sessionEnded(): Refusal {
  return new Refusal("FreshProofRequired", { public: "This session has ended: sign in, and try again." });
}
