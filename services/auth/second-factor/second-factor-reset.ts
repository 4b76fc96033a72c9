import type { Database } from "../../platform/db/types.ts";
import type { Account } from "../accounts/account-row.ts";
import { noSuchAccount } from "../accounts/account-row.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { CredentialRevocation } from "../accounts/credential-revocation.ts";
import type { SecurityNotices } from "../accounts/security-notices.ts";
import { checkUsername, usernameKey } from "../accounts/usernames.ts";
import type { OperatorAudit } from "../operators/audit.ts";

interface Dependencies {
  db: Database;
  accounts: Accounts;
  revocation: CredentialRevocation;
  notices: SecurityNotices;
  audit: OperatorAudit;
}

/** For an owner who has lost the authenticator and the recovery codes, and whom an operator knows. */
export class SecondFactorReset {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Turns the second factor off and ends all sessions; the owner is told by mail. @throws Refusal NotFound */
  async reset({ username, arePasskeysRemoved }: { username: string; arePasskeysRemoved: boolean }): Promise<{
    account: Account;
    hadSecondFactor: boolean;
    passkeys: number;
  }> {
    checkUsername(username);
    const { db, accounts, revocation, notices, audit } = this.#dependencies;
    return db.tx(async (tx) => {
      const locked = await accounts.lockByName(tx, usernameKey(username));
      if (!locked) throw noSuchAccount();
      const { id } = locked;
      const ended = {
        ...(await revocation.endSessions(tx, id)),
        hadSecondFactor: await revocation.endSecondFactor(tx, id),
        passkeys: arePasskeysRemoved ? await revocation.endPasskeys(tx, id) : 0,
      };
      await notices.send(tx, id, "An operator of the service reset how you sign in.", ended);
      // As it is now, without a second factor.
      const account = await accounts.lockByName(tx, usernameKey(username));
      if (!account) throw noSuchAccount();
      await audit.record(tx, "command", "account.second-factor-reset", account);
      return { account, hadSecondFactor: ended.hadSecondFactor, passkeys: ended.passkeys };
    });
  }
}
