import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { networkOf } from "../../platform/net/ip-address.ts";
import type { Language } from "../../platform/rpc/language.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import type { SecondFactor } from "../second-factor/second-factor.ts";
import { refuseUnless } from "../sessions/sign-in-throttle.ts";
import type { AccountLinks, LinkDescription } from "./account-links.ts";
import { lockAccountFor, type Requester } from "./account-lock.ts";
import type { AccountMailer } from "./account-mailer.ts";
import type { Accounts } from "./accounts.ts";
import type { CredentialRevocation } from "./credential-revocation.ts";
import type { PasswordPolicy } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import type { SecurityNotices } from "./security-notices.ts";
import { isUsername, usernameKey } from "./usernames.ts";

interface Dependencies {
  db: Database;
  accounts: Accounts;
  passwords: Passwords;
  policy: PasswordPolicy;
  secondFactor: SecondFactor;
  links: AccountLinks;
  mailer: AccountMailer;
  revocation: CredentialRevocation;
  notices: SecurityNotices;
  /** Requests for a reset, and resets, per client address. */
  limit: Limit;
}

interface PasswordReset {
  /** What stands in the link. */
  token: string;
  password: string;
  /** Of the second factor, or a recovery code, where the account has one. */
  code?: string | null | undefined;
  clientAddress: string;
}

/** New passwords: chosen by who knows the old one, or by who reads the account's mail. */
export class PasswordChanges {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Changes the password of who has just proved to be the owner, ends all other sessions, and tells the owner by mail.
   * @param keys what else is to end: with "revoked" the API token does, and the webhook secret is rotated
   * @throws Refusal ValidationFailed; as lockAccountFor
   */
  async change(requester: Requester, password: string, keys: "kept" | "revoked"): Promise<void> {
    const { accountId, sessionId } = requester;
    const { db, accounts, passwords, policy, revocation, notices } = this.#dependencies;
    await policy.check(password, (await accounts.get(accountId)).username, "newPassword");
    const hash = await passwords.hash(password);
    await db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      await tx.query(`update account set password_hash = $2 where id = $1`, [accountId, hash]);
      const ended =
        keys === "revoked"
          ? await revocation.endKeys(tx, accountId, sessionId)
          : await revocation.endSessions(tx, accountId, sessionId);
      await notices.send(tx, accountId, "Your password was changed.", ended);
    });
  }

  /** Has a link sent to the account of this name, if there is one; the answer and the work are the same if there is none. @throws Refusal RateLimited */
  async requestReset(username: string, clientAddress: string, language: Language): Promise<void> {
    const { limit, mailer } = this.#dependencies;
    refuseUnless(await limit.consume(networkOf(clientAddress)));
    if (isUsername(username)) await mailer.requestReset(usernameKey(username), language);
  }

  /** What a link is for; changes nothing. @throws Refusal NotFound for one that is not good */
  async describeReset(token: string): Promise<{ username: string; isSecondFactorRequired: boolean }> {
    const link = await this.#dependencies.links.describe(token, "reset");
    return { username: link.username, isSecondFactorRequired: await this.#isSecondFactorRequired(link) };
  }

  /**
   * Sets a new password and ends what others may hold: sessions, API token, webhook secret. Passkeys and the second factor stay, and
   * the latter is asked for, so that the mailbox alone does not give the account away. Who could open the link reads the account's
   * mail: if that was not known before, nothing is kept that was set before.
   * @throws Refusal NotFound for a link that is not good; ValidationFailed; SecondFactorRequired, WrongSecondFactor; RateLimited
   */
  async reset({ token, password, code, clientAddress }: PasswordReset): Promise<{ username: string }> {
    const { db, accounts, passwords, policy, secondFactor, revocation, notices, links, limit } = this.#dependencies;
    refuseUnless(await limit.consume(networkOf(clientAddress)));
    const link = await links.describe(token, "reset");
    const isSecondFactorRequired = await this.#isSecondFactorRequired(link);
    await policy.check(password, link.username);
    const hash = await passwords.hash(password);
    if (isSecondFactorRequired) {
      if (!code) throw secondFactorRequired();
      await secondFactor.use(link.accountId, code);
    }
    return db.tx(async (tx) => {
      const { accountId, username } = await links.use(tx, token, "reset");
      const wasConfirmed = !(await accounts.confirmUsername(tx, accountId));
      // It was confirmed after the link was looked at.
      if (wasConfirmed && !isSecondFactorRequired && (await secondFactor.isInForce(accountId, tx)))
        throw secondFactorRequired();
      await tx.query(`update account set password_hash = $2 where id = $1`, [accountId, hash]);
      const ended = wasConfirmed ? await revocation.endKeys(tx, accountId) : await revocation.endAll(tx, accountId);
      await notices.send(tx, accountId, "Your password was reset by a link that was sent to this address.", ended);
      return { username };
    });
  }

  async #isSecondFactorRequired({ accountId }: LinkDescription): Promise<boolean> {
    const { hasSecondFactor, isUsernameVerified } = await this.#dependencies.accounts.get(accountId);
    return hasSecondFactor && isUsernameVerified;
  }
}

function secondFactorRequired(): Refusal {
  return new Refusal("SecondFactorRequired", {
    public: "This account has a second factor: give its code, or a recovery code, as well.",
  });
}
