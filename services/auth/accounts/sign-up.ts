import { domainOf } from "../../message/address/addr-spec.ts";
import { asciiDomain } from "../../message/address/domain-name.ts";
import { Refusal } from "../../platform/errors.ts";
import { networkOf } from "../../platform/net/ip-address.ts";
import type { Language } from "../../platform/rpc/language.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import { refuseUnless } from "../sessions/sign-in-throttle.ts";
import type { AccountMailer } from "./account-mailer.ts";
import type { Account } from "./account-row.ts";
import type { Invitations } from "./invitations.ts";
import type { PasswordPolicy } from "./password-policy.ts";
import type { Passwords } from "./passwords.ts";
import type { PendingSignUps } from "./pending-sign-ups.ts";
import { isAddress, isUsername, usernameKey } from "./usernames.ts";

type SignUpPolicy = "open" | "invite" | "closed";

interface NewUser {
  username: string;
  password: string;
  /** Needed where signing up is by invitation. */
  invitation?: string | null | undefined;
  clientAddress: string;
  /** Of the mail. English unless it is given. */
  language?: Language | undefined;
}

interface Dependencies {
  policy: SignUpPolicy;
  pendingSignUps: PendingSignUps;
  passwords: Passwords;
  passwordPolicy: PasswordPolicy;
  invitations: Invitations;
  mailer: AccountMailer;
  /** Per client address. */
  limit: Limit;
  settings: Pick<Settings, "SERVICE_DOMAIN" | "internalDomains">;
}

/** Lets people sign up. */
export class SignUp {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  get policy(): SignUpPolicy {
    return this.#dependencies.policy;
  }

  /**
   * Takes a sign-up; the mail that it leads to says what comes next. Whether there is such an account is not looked at here: the
   * answer and the work are the same, so that nobody learns who has one.
   * @returns the account as it will be, and until when the link in the mail is good
   * @throws Refusal Forbidden where it is closed, or the invitation is not good; ValidationFailed; RateLimited
   */
  async request({
    username,
    password,
    invitation,
    clientAddress,
    language = "en",
  }: NewUser): Promise<{ account: Account; expiresAt: string }> {
    const { policy, pendingSignUps, passwords, passwordPolicy, invitations, limit, mailer } = this.#dependencies;
    if (policy === "closed")
      throw new Refusal("Forbidden", { public: "Only the operator of this service creates accounts." });
    this.#checkAddress(username);
    refuseUnless(await limit.consume(networkOf(clientAddress)));
    const invitationDigest = policy === "invite" ? await invitations.digestOfGood(invitation ?? "") : null;
    await passwordPolicy.check(password, username);
    const passwordHash = await passwords.hash(password);
    const added = { username, usernameKey: usernameKey(username), passwordHash, invitationDigest, language };
    const { id, expiresAt } = await pendingSignUps.add(added);
    mailer.wake();
    return { account: accountToBe(id, username), expiresAt: expiresAt.toISOString() };
  }

  /** Has the link of a sign-up sent again; whether there is one is not told. @throws Refusal RateLimited */
  async resend({ username, clientAddress, language = "en" }: Omit<NewUser, "password" | "invitation">): Promise<void> {
    const { pendingSignUps, limit, mailer } = this.#dependencies;
    refuseUnless(await limit.consume(networkOf(clientAddress)));
    if (!isUsername(username)) return;
    await pendingSignUps.askForMail(usernameKey(username), language);
    mailer.wake();
  }

  /**
   * @throws Refusal ValidationFailed for what is no address at a domain, such as x@10.0.0.5: no mail is to go there because anybody asked;
   * or one of this service: it would lead in a circle.
   */
  #checkAddress(username: string): void {
    const { SERVICE_DOMAIN, internalDomains } = this.#dependencies.settings;
    const domain = domainOf(username);
    const isOurs = domain === SERVICE_DOMAIN || internalDomains.includes(domain);
    if (!isUsername(username) || !isAddress(username) || isOurs || asciiDomain(domain) === undefined)
      throw new Refusal("ValidationFailed", {
        field: "username",
        public: "must be your own email address, not one of this service.",
      });
  }
}

function accountToBe(id: string, username: string): Account {
  return {
    id,
    username,
    isUsernameVerified: false,
    isOperatorMade: false,
    isOperator: false,
    hasSecondFactor: false,
    isDisabled: false,
    createdAt: new Date().toISOString(),
  };
}
