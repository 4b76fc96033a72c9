import type { z } from "zod";
import type { Queryable } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { EmailAddress } from "../addresses/email-address.ts";
import { addressKey, parseEmailAddress } from "../addresses/email-address.ts";
import type { ProxyBinding } from "../proxy-bindings/rows.ts";
import { addressesOf } from "../targets/account-targets.ts";
import type { KeyRestrictions as KeyRestrictionsSchema } from "./contract.ts";

/** The restrictions of an API key on the bindings that it makes, changes and removes. Without a key there are none. */
export class KeyRestrictions {
  readonly domain: string | undefined;
  /** The addresses that mail may be forwarded to, by key; undefined for any. */
  readonly targets: ReadonlyMap<string, string> | undefined;

  /** Whether it may be shown a binding that is there already. */
  readonly mayRead: boolean;

  private constructor(domain: string | undefined, targets: ReadonlyMap<string, string> | undefined, mayRead: boolean) {
    this.mayRead = mayRead;
    this.domain = domain;
    this.targets = targets;
  }

  static async of(
    queryable: Queryable,
    ownerId: string,
    apiKey: z.output<typeof KeyRestrictionsSchema> | undefined,
  ): Promise<KeyRestrictions> {
    const targetIds = apiKey?.targetIds ?? [];
    const targets = targetIds.length > 0 ? await addressesOf(queryable, ownerId, targetIds) : undefined;
    const { scopes } = apiKey ?? {};
    const mayRead = scopes === undefined || scopes.includes("alias:read") || scopes.includes("admin");
    return new KeyRestrictions(apiKey?.domain ?? undefined, targets, mayRead);
  }

  /** @throws Refusal Forbidden */
  checkDomain(domain: string): void {
    if (this.domain !== undefined && domain !== this.domain)
      throw forbidden("This API key is good for proxy addresses on another domain alone.");
  }

  /** Mail that is called back leaves for elsewhere as well. @throws Refusal Forbidden */
  checkTargets(addresses: readonly Pick<EmailAddress, "key">[], callbackUrl: string | null | undefined): void {
    const { targets } = this;
    if (!targets) return;
    if (!addresses.every(({ key }) => targets.has(key)))
      throw forbidden("This API key is good for other real addresses alone.");
    if (callbackUrl) throw forbidden("This API key is bound to real addresses, and sets no callback URL.");
  }

  /** A binding that is there. @throws Refusal Forbidden */
  checkBinding({ proxyAddress, realAddresses, callbackUrl }: ProxyBinding): void {
    this.checkDomain(parseEmailAddress(proxyAddress).emailAddress?.domain ?? "");
    this.checkTargets(
      realAddresses.flatMap(
        ({ address }) => parseEmailAddress(address).emailAddress ?? { key: addressKey(address, "") },
      ),
      callbackUrl,
    );
  }

  /** Whether the key restricts bindings at all. */
  get areSet(): boolean {
    return this.domain !== undefined || this.targets !== undefined;
  }
}

function forbidden(sentence: string): Refusal {
  return new Refusal("Forbidden", { public: sentence });
}
