import type { Transaction } from "../../platform/db/types.ts";

/**
 * What was found good, and opens a session: a password, by the hash that it was verified against; a passkey, by its credential id in
 * base64url; or a session without the second factor, which was given now.
 */
export type OpenedBy =
  | { passwordHash: string }
  | { credentialId: string; isUserVerified: boolean }
  | { sessionId: string };

/**
 * The state in which the session begins. An authenticator that knew its user is two factors in one. A proof is fresh where the
 * password or the passkey was given just now; a session that replaces another takes its proof over (see FreshProof).
 */
export function initialStateOf(by: OpenedBy): { isSecondFactorGranted: boolean; isProofFresh: boolean } {
  if ("passwordHash" in by) return { isSecondFactorGranted: false, isProofFresh: true };
  if ("sessionId" in by) return { isSecondFactorGranted: true, isProofFresh: false };
  return { isSecondFactorGranted: by.isUserVerified, isProofFresh: by.isUserVerified };
}

/**
 * Locks the account, and says whether it is there, and what opens the session is still good. It may have been found so long ago, in
 * the queue of passwords; a reset, which locks the account as well, ends what was opened before it, and lets nothing be opened after it.
 */
export async function lockStillGood(tx: Transaction, accountId: string, by: OpenedBy): Promise<boolean> {
  // No share lock: of two first sign-ins that hold one, neither could write down that it is the first.
  const { rowCount } = await tx.query(
    `select from account where id = $1 and disabled_at is null and password_hash = coalesce($2, password_hash) for no key update`,
    [accountId, "passwordHash" in by ? by.passwordHash : null],
    { name: "auth.lock_to_open_session" },
  );
  return rowCount > 0 && isThere(tx, accountId, by);
}

async function isThere(tx: Transaction, accountId: string, by: OpenedBy): Promise<boolean> {
  if ("passwordHash" in by) return true;
  const { rowCount } =
    "sessionId" in by
      ? await tx.query(`select from session where id = $2 and account_id = $1`, [accountId, by.sessionId])
      : await tx.query(`select from passkey where credential_id = $2 and account_id = $1`, [
          accountId,
          Buffer.from(by.credentialId, "base64url"),
        ]);
  return rowCount > 0;
}
