import { asciiDomain } from "../../message/address/domain-name.ts";
import type { Queryable } from "../../platform/db/types.ts";
import type { Settings } from "../../platform/runtime/settings.ts";

/** The domains of this installation. */
export class Domains {
  /** SERVICE_DOMAIN, where proxy addresses are issued. */
  readonly service: string;
  readonly #internal: readonly string[];

  constructor({ SERVICE_DOMAIN, internalDomains }: Pick<Settings, "SERVICE_DOMAIN" | "internalDomains">) {
    this.service = asciiDomain(SERVICE_DOMAIN) ?? SERVICE_DOMAIN;
    this.#internal = internalDomains.map((domain) => asciiDomain(domain) ?? domain);
  }

  /** The reserved internal domain on which a real address is generated where none is given. */
  get internal(): string {
    return `int.${this.service}`;
  }

  /** Whether a domain is one of the two reserved internal ones: nothing is forwarded there. */
  isInternal(domain: string): boolean {
    return this.#internal.includes(domain);
  }

  /** Of the given domains those that this installation receives mail for, each with the account that may use it; null for all accounts. */
  async served(queryable: Queryable, names: readonly string[]): Promise<Map<string, string | null>> {
    const others = names.filter((name) => name !== this.service);
    const served = new Map<string, string | null>(names.includes(this.service) ? [[this.service, null]] : []);
    if (others.length === 0) return served;
    const { rows } = await queryable.query<{ name: string; ownerId: string }>(
      "select name, owner_id from custom_domain where name = any ($1) and verified_at is not null",
      [others],
    );
    for (const { name, ownerId } of rows) served.set(name, ownerId);
    return served;
  }
}
