import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { networkOf } from "../../platform/net/ip-address.ts";
import type { Language } from "../../platform/rpc/language.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import type { BearerToken, Origin, Sessions } from "../sessions/sessions.ts";
import { refuseUnless } from "../sessions/sign-in-throttle.ts";
import type { AccountLinks } from "./account-links.ts";
import { noSuchLink } from "./account-links.ts";
import type { Accounts } from "./accounts.ts";
import type { CredentialRevocation } from "./credential-revocation.ts";
import type { Invitations } from "./invitations.ts";
import type { Passwords } from "./passwords.ts";
import type { PendingSignUp, PendingSignUps } from "./pending-sign-ups.ts";
import type { SecurityNotices } from "./security-notices.ts";

interface Confirmation extends Origin {
  /** What stands in the link. */
  token: string;
  /** The one that was chosen at sign-up. */
  password: string;
}

/** Whose address it is, and what the password that came with the link was right by. */
interface Confirmed {
  accountId: string;
  username: string;
  passwordHash: string;
}

interface Dependencies {
  db: Database;
  accounts: Accounts;
  links: AccountLinks;
  pendingSignUps: PendingSignUps;
  invitations: Invitations;
  passwords: Passwords;
  sessions: Sessions;
  revocation: CredentialRevocation;
  notices: SecurityNotices;
  /** Links that are sent again, per account. */
  mailLimit: Limit;
  /** Passwords that are tried with a link, per client address. */
  attemptLimit: Limit;
}

/**
 * The proof that a username is its owner's address: a link that was sent there, and the password that was chosen at sign-up. Without
 * the password, whoever signs up with somebody else's address would get an account that its owner confirmed.
 */
export class Confirmations {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** What a link is for; changes nothing. @throws Refusal NotFound for one that is not good */
  async describe(token: string): Promise<{ username: string }> {
    const signUp = await this.#dependencies.pendingSignUps.find(token);
    return signUp ?? this.#dependencies.links.describe(token, "confirm");
  }

  /**
   * Uses a link up: makes the account that was signed up for, or confirms the one there is, and signs it in.
   * @throws Refusal NotFound for a link that is not good; WrongPassword; Forbidden when the invitation was used meanwhile; RateLimited
   */
  async confirm({ token, password, ...origin }: Confirmation): Promise<{ username: string; bearer: BearerToken }> {
    const { pendingSignUps, sessions, attemptLimit } = this.#dependencies;
    refuseUnless(await attemptLimit.consume(networkOf(origin.clientAddress)));
    const signUps = await pendingSignUps.findAll(token);
    const { accountId, username, passwordHash } =
      signUps.length > 0
        ? await this.#confirmSignUp(await this.#ofPassword(signUps, password, origin.clientAddress))
        : await this.#confirmAccount(token, password);
    const bearer = await sessions.open(accountId, origin, { passwordHash });
    if (!bearer) throw noSuchLink();
    return { username, bearer };
  }

  /** Sends another link. @throws Refusal Conflict when there is nothing left to confirm; RateLimited. */
  async resend(accountId: string, language: Language): Promise<void> {
    const { db, accounts, links, mailLimit } = this.#dependencies;
    const account = await accounts.get(accountId);
    if (account.isUsernameVerified) throw new Refusal("Conflict", { public: "This address is confirmed already." });
    refuseUnless(await mailLimit.consume(accountId));
    await db.tx((tx) => links.send(tx, "confirm", account, language));
  }

  /** Each that is tried counts as an attempt: a hash costs much. @throws Refusal WrongPassword, RateLimited */
  async #ofPassword(
    signUps: readonly PendingSignUp[],
    password: string,
    clientAddress: string,
  ): Promise<PendingSignUp> {
    const { passwords, attemptLimit } = this.#dependencies;
    for (const [index, signUp] of signUps.entries()) {
      if (index > 0) refuseUnless(await attemptLimit.consume(networkOf(clientAddress)));
      if (await passwords.verify(signUp.passwordHash, password)) return signUp;
    }
    throw wrongPassword();
  }

  async #confirmSignUp(signUp: PendingSignUp): Promise<Confirmed> {
    const { db, accounts, pendingSignUps, invitations, revocation } = this.#dependencies;
    const { id, username, usernameKey, passwordHash, invitationDigest } = signUp;
    return db.tx(async (tx) => {
      if (!(await pendingSignUps.use(tx, signUp))) throw noSuchLink();
      const holder = await accounts.lockByName(tx, usernameKey);
      if (!holder) {
        if (invitationDigest && !(await invitations.use(tx, invitationDigest))) throw invitations.notGood();
        await accounts.insert(tx, { id, username, passwordHash, isUsernameVerified: true, isOperatorMade: false });
        return { accountId: id, username, passwordHash };
      }
      // A former release made accounts before their address was confirmed: this one is the owner's from here on.
      if (!(await accounts.confirmUsername(tx, holder.id))) throw noSuchLink();
      await tx.query(`update account set password_hash = $2 where id = $1`, [holder.id, passwordHash]);
      await revocation.endAll(tx, holder.id);
      return { accountId: holder.id, username: holder.username, passwordHash };
    });
  }

  /** An account that a former release made before its address was confirmed. */
  async #confirmAccount(token: string, password: string): Promise<Confirmed> {
    const { db, accounts, links, passwords, revocation, notices } = this.#dependencies;
    const { accountId } = await links.describe(token, "confirm");
    const passwordHash = await accounts.passwordHash(accountId);
    if (!passwordHash || !(await passwords.verify(passwordHash, password))) throw wrongPassword();
    return db.tx(async (tx) => {
      const { username } = await links.use(tx, token, "confirm");
      if (await accounts.confirmUsername(tx, accountId)) {
        const ended = await revocation.endAll(tx, accountId);
        await notices.send(tx, accountId, "Your email address was confirmed.", ended);
      }
      return { accountId, username, passwordHash };
    });
  }
}

function wrongPassword(): Refusal {
  return new Refusal("WrongPassword", { public: "This is not the password that was chosen at sign-up." });
}
