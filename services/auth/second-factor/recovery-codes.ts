import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "../../platform/db/types.ts";

const count = 10;

/** Crockford's base32: nothing that is misread when copied from paper. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** 16 characters of 5 bits: too many to guess, and too many to try against a stolen hash. */
const characters = 16;

/** New recovery codes in place of all former ones; shown this once, kept as hashes. */
export async function makeRecoveryCodes(tx: Queryable, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await tx.query(`delete from recovery_code where account_id = $1`, [accountId]);
  await tx.query(`insert into recovery_code (account_id, hash) select $1, hash from unnest($2::bytea[]) as hash`, [
    accountId,
    codes.map((code) => hashOf(accountId, code)),
  ]);
  return codes;
}

/** Uses up a recovery code; false when it is none of this account's, or was used. */
export async function useRecoveryCode(tx: Queryable, accountId: string, code: string): Promise<boolean> {
  const { rowCount } = await tx.query(`delete from recovery_code where account_id = $1 and hash = $2`, [
    accountId,
    hashOf(accountId, code),
  ]);
  return rowCount > 0;
}

/** Four groups of four, as in k7mv-09qe-xw3c-h5nt. */
function newCode(): string {
  const symbols = Array.from(randomBytes(characters), (byte) => alphabet.charAt(byte % alphabet.length)).join("");
  return symbols.replace(/.{4}(?=.)/g, "$&-");
}

/** The account is part of it, so that two accounts' equal codes have unequal hashes. */
function hashOf(accountId: string, code: string): Buffer {
  const typed = code.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  return createHash("sha256").update(`${accountId}/${typed}`).digest();
}
