import type { Queryable } from "../../platform/db/types.ts";
import type { Settings } from "../../platform/runtime/settings.ts";

/** An account's own domain that the account has proved. */
export interface ProvedDomain {
  readonly ownerId: string;
  /** In which its addresses are allocated. */
  readonly epoch: number;
}

/** The domains of this installation. */
export class ServedDomains {
  /** SERVICE_DOMAIN, where proxy addresses are issued. */
  readonly service: string;
  readonly #internal: readonly string[];

  constructor({ SERVICE_DOMAIN, internalDomains }: Pick<Settings, "SERVICE_DOMAIN" | "internalDomains">) {
    this.service = SERVICE_DOMAIN;
    this.#internal = internalDomains;
  }

  /** The reserved internal domain on which a real address is generated where none is given. */
  get internal(): string {
    return `int.${this.service}`;
  }

  /** Whether a domain is one of the two reserved internal ones: nothing is forwarded there. */
  isInternal(domain: string): boolean {
    return this.#internal.includes(domain);
  }

  /** Whether a name is a domain of this installation, or is under or above one: it can be no account's own. */
  isRelatedToOurs(name: string): boolean {
    return [this.service, ...this.#internal].some(
      (ours) => name === ours || name.endsWith(`.${ours}`) || ours.endsWith(`.${name}`),
    );
  }

  /** Of the given domains those that this installation receives mail for, each with the account that has proved it; null for all accounts. */
  async served(queryable: Queryable, names: readonly string[]): Promise<Map<string, ProvedDomain | null>> {
    const others = names.filter((name) => name !== this.service);
    const served = new Map<string, ProvedDomain | null>(names.includes(this.service) ? [[this.service, null]] : []);
    if (others.length === 0) return served;
    const { rows } = await queryable.query<ProvedDomain & { name: string }>(
      "select name, owner_id, epoch from domain where name = any ($1) and state in ('verified', 'broken')",
      [others],
    );
    for (const { name, ...proved } of rows) served.set(name, proved);
    return served;
  }
}
