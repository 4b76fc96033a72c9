import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import type { Language } from "../../platform/rpc/language.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import { randomToken, tokenDigest } from "../../platform/security/tokens.ts";
import { confirmationNotice, resetNotice } from "./notices.ts";

type LinkPurpose = "confirm" | "reset";

/** Who a link is for, and what for. */
export interface LinkDescription {
  accountId: string;
  username: string;
  purpose: LinkPurpose;
}

interface Recipient {
  id: string;
  username: string;
}

/** Each kind of link: how long it is good, the page that it leads to, and the mail that it travels in. */
const kinds = {
  confirm: { lifetimeHours: 48, page: "confirm", notice: confirmationNotice },
  reset: { lifetimeHours: 1, page: "reset", notice: resetNotice },
} as const;

/** Links sent to an account's own address: opening one proves that its mail can be read. */
export class AccountLinks {
  readonly #db: Database;
  readonly #settings: Pick<Settings, "PUBLIC_URL" | "SERVICE_NAME">;

  constructor(db: Database, settings: Pick<Settings, "PUBLIC_URL" | "SERVICE_NAME">) {
    this.#db = db;
    this.#settings = settings;
  }

  /** Makes a link and asks for its mail, in the transaction that gives reason to. Links made before stay good. */
  async send(tx: Transaction, purpose: LinkPurpose, account: Recipient, language: Language): Promise<void> {
    const { lifetimeHours, page, notice } = kinds[purpose];
    const token = randomToken();
    await tx.query(
      `insert into account_link (token_digest, account_id, purpose, expires_at) values ($1, $2, $3, now() + make_interval(hours => $4))`,
      [tokenDigest(token), account.id, purpose, lifetimeHours],
    );
    const { PUBLIC_URL, SERVICE_NAME: serviceName } = this.#settings;
    const link = `${PUBLIC_URL}/${page}/${token}`;
    const { id: accountId, username: recipient } = account;
    await publish(tx, notice({ accountId, recipient, link, lifetimeHours, serviceName, language }));
  }

  /** What a link is for; changes nothing. @throws Refusal NotFound for one that is none, was used, or has expired. */
  async describe(token: string, purpose: LinkPurpose, queryable: Queryable = this.#db): Promise<LinkDescription> {
    const { rows } = await queryable.query<LinkDescription>(
      `select account_id, username, purpose from account_link join account on account.id = account_id
        where token_digest = $1 and purpose = $2 and expires_at > now() and disabled_at is null`,
      [tokenDigest(token), purpose],
    );
    const [link] = rows;
    if (!link) throw noSuchLink();
    return link;
  }

  /** Uses a link up, and with it all others of the account for the same. @throws Refusal as `describe` */
  async use(tx: Transaction, token: string, purpose: LinkPurpose): Promise<LinkDescription> {
    const link = await this.describe(token, purpose, tx);
    const { rowCount } = await tx.query(`delete from account_link where token_digest = $1`, [tokenDigest(token)]);
    // Somebody else was faster by a moment.
    if (rowCount === 0) return this.describe(token, purpose, tx);
    await tx.query(`delete from account_link where account_id = $1 and purpose = $2`, [link.accountId, purpose]);
    return link;
  }

  /** Deletes those that expired unused. */
  async sweep(): Promise<void> {
    await this.#db.query(`delete from account_link where expires_at <= now()`);
  }
}

export function noSuchLink(): Refusal {
  return new Refusal("NotFound", { public: "This link has expired or has already been used." });
}
