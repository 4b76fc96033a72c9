import { domainOf } from "../../message/address/addr-spec.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import { network, refuseUnless } from "../sessions/sign-in-throttle.ts";
import type { AccountLinks } from "./account-links.ts";
import type { Account } from "./account-row.ts";
import type { Accounts } from "./accounts.ts";
import type { Invitations } from "./invitations.ts";
import type { PasswordPolicy } from "./password-policy.ts";
import { isAddress } from "./usernames.ts";

export type SignUpPolicy = "open" | "invite" | "closed";

export interface NewUser {
  username: string;
  password: string;
  /** Needed where signing up is by invitation. */
  invitation?: string | null | undefined;
  clientAddress: string;
}

interface Parts {
  policy: SignUpPolicy;
  accounts: Accounts;
  invitations: Invitations;
  links: AccountLinks;
  passwordPolicy: PasswordPolicy;
  /** Per client address. */
  limit: Limit;
  settings: Pick<Settings, "SERVICE_DOMAIN" | "internalDomains">;
}

/** Lets people make an account of their own. */
export class SignUp {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get policy(): SignUpPolicy {
    return this.#parts.policy;
  }

  /**
   * Makes an account and sends the link that confirms its address; until then nothing is forwarded there.
   * @throws Refusal Forbidden where it is closed, or the invitation is not good; ValidationFailed; Conflict; RateLimited.
   */
  async signUp({ username, password, invitation, clientAddress }: NewUser): Promise<Account> {
    const { policy, accounts, invitations, links, limit, passwordPolicy } = this.#parts;
    if (policy === "closed")
      throw new Refusal("Forbidden", { public: "Accounts are made by whoever runs this service." });
    this.#checkAddress(username);
    refuseUnless(await limit.consume(network(clientAddress)));
    await passwordPolicy.check(password, username);
    const withAccount = async (tx: Transaction, account: Account) => {
      if (policy === "invite" && !(await invitations.use(tx, invitation ?? "")))
        throw new Refusal("Forbidden", {
          public: "Signing up is by invitation, and this one is not good, or no longer.",
        });
      await links.send(tx, "confirm", account);
    };
    return accounts.add({ username, password, isOperatorMade: false, withAccount });
  }

  /** @throws Refusal ValidationFailed for what is no address, or one of this service: it would lead in a circle. */
  #checkAddress(username: string): void {
    const { SERVICE_DOMAIN, internalDomains } = this.#parts.settings;
    const domain = domainOf(username);
    if (!isAddress(username) || domain === SERVICE_DOMAIN || internalDomains.includes(domain))
      throw new Refusal("ValidationFailed", {
        field: "username",
        public: "must be your own email address, not one of this service.",
      });
  }
}
