import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import type { authContract } from "../contract.ts";
import { bearerInvalid } from "./sessions.ts";

type Asked = z.output<(typeof authContract)["procedures"]["requireInForce"]["input"]>;

/** Looks credentials up again that were good when a long request began. */
export class CredentialsInForce {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @throws Refusal BearerTokenInvalid once it is revoked or has lost the scope, has expired where that counts, or the account is disabled or
   * gone. A session that expired a day ago counts as revoked: see Sessions.sweep.
   */
  async require({ accountId, sessionId, keyId, tokenId, scope, mayHaveExpired }: Asked): Promise<void> {
    const { rowCount } = await this.#db.query(
      `select from account where id = $1 and disabled_at is null and case
         when $2::uuid is not null then exists (
           select from session where session.id = $2 and account_id = $1 and ($6 or expires_at > now()))
         when $3::uuid is not null then exists (
           select from api_key where api_key.id = $3 and account_id = $1 and ($6 or coalesce(expires_at > now(), true))
                                       and scopes && array[$5, 'admin'])
         else exists (
           select from api_token where account_id = $1 and coalesce(left(encode(sha256(hash), 'hex'), 16) = $4, true)) end`,
      [accountId, sessionId ?? null, keyId ?? null, tokenId ?? null, scope, mayHaveExpired],
      { name: "auth.in_force" },
    );
    if (rowCount === 0) throw bearerInvalid();
  }
}
