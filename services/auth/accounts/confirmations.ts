import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import { refuseUnless } from "../sessions/sign-in-throttle.ts";
import type { AccountLinks } from "./account-links.ts";
import type { Accounts } from "./accounts.ts";

/** The proof that an account's username is an address of its owner's. */
export class Confirmations {
  readonly #db: Database;
  readonly #accounts: Accounts;
  readonly #links: AccountLinks;
  readonly #limit: Limit;

  constructor(db: Database, accounts: Accounts, links: AccountLinks, limit: Limit) {
    this.#db = db;
    this.#accounts = accounts;
    this.#links = links;
    this.#limit = limit;
  }

  /** Uses a link up. @throws Refusal NotFound for one that is not good. */
  confirm(token: string): Promise<{ username: string }> {
    return this.#db.tx(async (tx) => {
      const { accountId, username } = await this.#links.use(tx, token, "confirm");
      await this.#accounts.confirmUsername(tx, accountId);
      return { username };
    });
  }

  /** Sends another link. @throws Refusal Conflict when there is nothing left to confirm; RateLimited. */
  async resend(accountId: string): Promise<void> {
    const account = await this.#accounts.get(accountId);
    if (account.isUsernameVerified) throw new Refusal("Conflict", { public: "This address is confirmed already." });
    refuseUnless(await this.#limit.consume(accountId));
    await this.#db.tx((tx) => this.#links.send(tx, "confirm", account));
  }
}
