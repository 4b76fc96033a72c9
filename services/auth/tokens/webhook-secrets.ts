import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import { lockAccountFor, type Requester } from "../accounts/account-lock.ts";
import type { WebhookIdentity as WebhookIdentitySchema } from "../contract.ts";

type WebhookIdentity = z.output<typeof WebhookIdentitySchema>;

const secretBytes = 32;

/** How long the former secret goes on signing beside the new one. */
const overlapHours = 24;

const sealContext = (accountId: string) => `webhook_secret/${accountId}`;

/** What signs an account's callbacks (Standard Webhooks: `whsec_` and 24 to 64 bytes in base64). */
export class WebhookSecrets {
  readonly #db: Database;
  readonly #sealer: Sealer;

  constructor(db: Database, sealer: Sealer) {
    this.#db = db;
    this.#sealer = sealer;
  }

  /** The first secret of a new account. */
  async make(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(`insert into webhook_secret (account_id, sealed) values ($1, $2)`, [
      accountId,
      this.#sealer.seal(newSecret(), sealContext(accountId)),
    ]);
  }

  /** A new secret; the one before it signs beside it for a day, one before that no more. @throws Refusal as lockAccountFor */
  rotate(requester: Requester): Promise<string> {
    return this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      return this.replace(tx, requester.accountId);
    });
  }

  /** The same, once the account is locked and who asks is known. */
  async replace(tx: Transaction, accountId: string): Promise<string> {
    const secret = newSecret();
    await tx.query(
      `update webhook_secret set sealed = $2, former_sealed = sealed, former_until = now() + make_interval(hours => $3) where account_id = $1`,
      [accountId, this.#sealer.seal(secret, sealContext(accountId)), overlapHours],
    );
    return secret;
  }

  /** Usernames and secrets, the current one first, of those of the accounts asked for that exist. */
  async identities(accountIds: readonly string[]): Promise<WebhookIdentity[]> {
    const { rows } = await this.#db.query<{
      accountId: string;
      username: string;
      sealed: Buffer;
      former: Buffer | null;
    }>(
      `select account_id, username, sealed, case when former_until > now() then former_sealed end as former
         from webhook_secret join account on account.id = account_id where account_id = any ($1::uuid[])`,
      [accountIds.filter(isId)],
      { name: "auth.webhook_identities" },
    );
    return rows.map(({ accountId, username, sealed, former }) => {
      const secrets = [sealed, former]
        .filter((kept) => kept !== null)
        .map((kept) => this.#sealer.open(kept, sealContext(accountId)));
      return { accountId, username, secrets };
    });
  }

  /** The former secret of this account signs no more, from here on. */
  async forgetFormerOf(accountId: string, queryable: Queryable): Promise<void> {
    await queryable.query(`update webhook_secret set former_sealed = null, former_until = null where account_id = $1`, [
      accountId,
    ]);
  }

  /** Deletes former secrets that sign no more. */
  async forgetFormer(): Promise<void> {
    await this.#db.query(
      `update webhook_secret set former_sealed = null, former_until = null where former_until <= now()`,
    );
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}
