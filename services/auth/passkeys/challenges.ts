import { randomBytes } from "node:crypto";
import type { Database } from "../../platform/db/types.ts";

/** Time to find the key, and to be asked twice (WebAuthn Level 3, section 15.1). */
export const challengeLifetimeMs = 5 * 60_000;

/** What authenticators are asked to sign: each is good once, for one account or for a sign-in, and for a while. */
export class PasskeyChallenges {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param accountId who is to register a passkey or to use one of its own; undefined for a sign-in */
  async make(accountId?: string): Promise<Buffer> {
    const challenge = randomBytes(32);
    await this.#db.query(
      `insert into passkey_challenge (challenge, account_id, expires_at) values ($1, $2, now() + make_interval(secs => $3))`,
      [challenge, accountId ?? null, challengeLifetimeMs / 1000],
    );
    return challenge;
  }

  /** Uses a challenge up, even if the answer to it is refused; false for one that was not made for this, was used, or has expired. */
  async use(challenge: string, accountId?: string): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `delete from passkey_challenge where challenge = $1 and account_id is not distinct from $2::uuid and expires_at > now()`,
      [Buffer.from(challenge, "base64url"), accountId ?? null],
    );
    return rowCount > 0;
  }

  /** Deletes those that expired without an answer. */
  async sweep(): Promise<void> {
    await this.#db.query(`delete from passkey_challenge where expires_at <= now()`);
  }
}
