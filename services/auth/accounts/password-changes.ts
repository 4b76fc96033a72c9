import type { Database } from "../../platform/db/types.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { AccountLinks } from "./account-links.ts";
import type { Accounts } from "./accounts.ts";
import type { PasswordPolicy } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import { isUsername, usernameKey } from "./usernames.ts";

interface Parts {
  db: Database;
  accounts: Accounts;
  passwords: Passwords;
  policy: PasswordPolicy;
  sessions: Sessions;
  links: AccountLinks;
  /** Reset mails per account. */
  limit: Limit;
}

/** New passwords: chosen by who knows the old one, or by who reads the account's mail. */
export class PasswordChanges {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Changes the password of who has just proved to know it; everybody else is signed out, and no link sent before resets it. @throws Refusal ValidationFailed */
  async change(accountId: string, password: string, keptSession: string | undefined): Promise<void> {
    const { db, accounts, passwords, policy } = this.#parts;
    await policy.check(password, (await accounts.get(accountId)).username, "newPassword");
    const hash = await passwords.hash(password);
    await db.tx(async (tx) => {
      await tx.query(`update account set password_hash = $2 where id = $1`, [accountId, hash]);
      await tx.query(`delete from account_link where account_id = $1 and purpose = 'reset'`, [accountId]);
      await this.#parts.sessions.revokeOthers(accountId, keptSession, tx);
    });
  }

  /** Sends a link to the account of this name, if there is one and it was not sent too many: the answer is the same either way. */
  async requestReset(username: string): Promise<void> {
    const { db, accounts, links, limit } = this.#parts;
    const account = isUsername(username) ? await accounts.findByName(usernameKey(username)) : undefined;
    if (!account || !(await limit.consume(account.id)).isAllowed) return;
    await db.tx((tx) => links.send(tx, "reset", account));
  }

  /**
   * Sets a new password and signs everybody out. Who could open the link reads the account's mail: its address is confirmed.
   * @throws Refusal NotFound for a link that is not good; ValidationFailed.
   */
  async reset(token: string, password: string): Promise<{ username: string }> {
    const { db, accounts, passwords, policy, sessions, links } = this.#parts;
    await policy.check(password, (await links.describe(token, "reset")).username);
    const hash = await passwords.hash(password);
    return db.tx(async (tx) => {
      const { accountId, username } = await links.use(tx, token, "reset");
      await tx.query(`update account set password_hash = $2 where id = $1`, [accountId, hash]);
      await sessions.revokeOthers(accountId, undefined, tx);
      await accounts.confirmUsername(tx, accountId);
      return { username };
    });
  }
}
