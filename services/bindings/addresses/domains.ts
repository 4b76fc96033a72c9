import type { Queryable } from "../../platform/db/types.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import { asciiDomain } from "./domain-name.ts";

/** Which domains mean what to this installation. */
export class Domains {
  /** Where addresses are given out. */
  readonly service: string;
  readonly #internal: readonly string[];

  constructor({ SERVICE_DOMAIN, internalDomains }: Pick<Settings, "SERVICE_DOMAIN" | "internalDomains">) {
    this.service = asciiDomain(SERVICE_DOMAIN) ?? SERVICE_DOMAIN;
    this.#internal = internalDomains.map((domain) => asciiDomain(domain) ?? domain);
  }

  /** Where real addresses are made up when none is wanted. */
  get internal(): string {
    return `int.${this.service}`;
  }

  /** Reserved: what is addressed there is stored and called back, never sent. */
  isInternal(domain: string): boolean {
    return this.#internal.includes(domain);
  }

  /** Those of the domains given on which this installation takes mail for its users, each with the account that may use it; null for all. */
  async served(queryable: Queryable, names: readonly string[]): Promise<Map<string, string | null>> {
    const others = names.filter((name) => name !== this.service);
    const served = new Map<string, string | null>(names.includes(this.service) ? [[this.service, null]] : []);
    if (others.length === 0) return served;
    const { rows } = await queryable.query<{ name: string; owner_id: string }>(
      "select name, owner_id from custom_domain where name = any ($1) and verified_at is not null",
      [others],
    );
    for (const { name, owner_id } of rows) served.set(name, owner_id);
    return served;
  }
}
