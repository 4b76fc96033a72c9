import { createHash, randomBytes } from "node:crypto";
import type { Database, Queryable } from "../../platform/db/types.ts";

const lifetimeD = 30;

/** Codes that let somebody sign up, each once. */
export class Invitations {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A new code, and until when it is good. */
  async make(): Promise<{ code: string; expiresAt: string }> {
    const code = randomBytes(16).toString("base64url");
    const expiresAt = new Date(Date.now() + lifetimeD * 86_400_000);
    await this.#db.query(`insert into invitation (code_digest, expires_at) values ($1, $2)`, [
      digestOf(code),
      expiresAt,
    ]);
    return { code, expiresAt: expiresAt.toISOString() };
  }

  /** Uses a code up, in the transaction that makes the account; false when it is none, or was used. */
  async use(tx: Queryable, code: string): Promise<boolean> {
    const { rowCount } = await tx.query(`delete from invitation where code_digest = $1 and expires_at > now()`, [
      digestOf(code),
    ]);
    return rowCount > 0;
  }

  /** Lets go of those that nobody took. */
  async sweep(): Promise<void> {
    await this.#db.query(`delete from invitation where expires_at <= now()`);
  }
}

function digestOf(code: string): Buffer {
  return createHash("sha256").update(code.trim()).digest();
}
