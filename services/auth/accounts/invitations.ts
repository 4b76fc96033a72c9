import { randomBytes } from "node:crypto";
import type { Database, Queryable } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import { Refusal } from "../../platform/errors.ts";
import { tokenDigest } from "../../platform/security/tokens.ts";

const lifetimeDays = 30;

/** Codes that let somebody sign up, each once. */
export class Invitations {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A new code, and until when it is good. */
  async make(): Promise<{ code: string; expiresAt: string }> {
    const code = randomBytes(16).toString("base64url");
    const expiresAt = new Date(Date.now() + lifetimeDays * dayMs);
    await this.#db.query(`insert into invitation (code_digest, expires_at) values ($1, $2)`, [
      tokenDigest(code.trim()),
      expiresAt,
    ]);
    return { code, expiresAt: expiresAt.toISOString() };
  }

  /** @returns the digest of a code that is good, for `use` @throws Refusal Forbidden for one that is not */
  async digestOfGood(code: string): Promise<Buffer> {
    const digest = tokenDigest(code.trim());
    const { rowCount } = await this.#db.query(`select from invitation where code_digest = $1 and expires_at > now()`, [
      digest,
    ]);
    if (rowCount === 0) throw this.notGood();
    return digest;
  }

  /** Uses a code up, in the transaction that makes the account; false when it is none, or was used. */
  async use(tx: Queryable, digest: Buffer): Promise<boolean> {
    const { rowCount } = await tx.query(`delete from invitation where code_digest = $1 and expires_at > now()`, [
      digest,
    ]);
    return rowCount > 0;
  }

  notGood(): Refusal {
    return new Refusal("Forbidden", {
      public: "Sign-up is by invitation only, and this one is not good, or no longer.",
    });
  }

  /** Deletes those that expired unused. */
  async sweep(): Promise<void> {
    await this.#db.query(`delete from invitation where expires_at <= now()`);
  }
}
