import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import type { bindingsContract } from "../contract.ts";
import { checkDomainRestrictions } from "../key-restrictions/check-restrictions.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { lockOwner, type Owners } from "../owners/owners.ts";
import { checkPatterns, listPatterns } from "../patterns/domain-patterns.ts";
import { type DomainChecks, refuseContested } from "./checks.ts";
import { readDomainName } from "./name.ts";
import { removeDomains } from "./remove-domains.ts";
import { type Domain, newToken, noSuchDomain, readDomain, selectDomain, selectDomains } from "./rows.ts";

interface OwnDomainsOptions {
  db: Database;
  domains: ServedDomains;
  owners: Owners;
  checks: DomainChecks;
  limits: Limits;
  /** Domains that an account may have. */
  quota: number;
  /** Makes new DKIM keys of a domain. @throws Refusal Conflict, Outage */
  rotateKeys(domainId: string): Promise<unknown>;
  /** Called when a domain was added, which is due at once. */
  wake(): void;
}

type Input<Name extends "addDomain" | "removeDomain" | "rotateDomainKeys"> = z.output<
  (typeof bindingsContract.procedures)[Name]["input"]
>;

const perHour = 20;
const windowS = 3_600;

/** The domains of accounts, as their owners manage them. */
export class OwnDomains {
  readonly #options: OwnDomainsOptions;
  readonly #additions: Limit;
  readonly #checks: Limit;

  constructor(options: OwnDomainsOptions) {
    this.#options = options;
    this.#additions = options.limits.limit({ name: "domain:add", points: perHour, windowS });
    this.#checks = options.limits.limit({ name: "domain:check", points: perHour, windowS });
  }

  list(ownerId: string): Promise<Domain[]> {
    return selectDomains(this.#options.db, "where owner_id = $1 order by name", [ownerId]);
  }

  /** @throws Refusal NotFound */
  get(ownerId: string, id: string): Promise<Domain> {
    return selectDomain(this.#options.db, ownerId, wellFormedId(id));
  }

  /**
   * Adds a domain, which proves nothing yet, and keeps nobody from adding it as well.
   * @throws Refusal ValidationFailed, QuotaExceeded, RateLimited, Forbidden where a key is bound to another; Outage if the domain's keys cannot be made: asking again goes on.
   */
  async add({ ownerId, name: given, apiKey }: Input<"addDomain">): Promise<{ domain: Domain; isCreated: boolean }> {
    const { db, domains, owners, checks, quota, wake } = this.#options;
    const name = readDomainName(given, domains);
    await owners.ensureKnown(ownerId);
    const { id, isCreated } = await db.tx(async (tx) => {
      await lockOwner(tx, ownerId);
      (await KeyRestrictions.of(tx, ownerId, apiKey)).checkDomain(name);
      const { rows } = await tx.query<{ id: string; name: string }>("select id, name from domain where owner_id = $1", [
        ownerId,
      ]);
      const existing = rows.find((row) => row.name === name);
      if (existing) return { id: existing.id, isCreated: false };
      if (rows.length >= quota)
        throw new Refusal("QuotaExceeded", { public: `No more than ${quota} domains are available to an account.` });
      await consume(this.#additions, ownerId, "Enough domains were added for now.");
      const newDomain = newId();
      const insert = "insert into domain (id, owner_id, name, token) values ($1, $2, $3, $4)";
      await tx.query(insert, [newDomain, ownerId, name, newToken()]);
      return { id: newDomain, isCreated: true };
    });
    const row = await readDomain(db, id);
    if (!row) throw noSuchDomain();
    await checks.describe(row);
    if (isCreated) wake();
    return { domain: await selectDomain(db, ownerId, id), isCreated };
  }

  /** @throws Refusal NotFound, RateLimited; Conflict where another account has proved it, and its record is still there */
  async check(ownerId: string, id: string): Promise<Domain> {
    const { name } = await this.get(ownerId, id);
    await consume(this.#checks, `${ownerId} ${name}`, "This domain was looked at often enough for now.");
    const outcome = await this.#options.checks.check(id);
    if (outcome?.isContested) refuseContested(name);
    return this.get(ownerId, id);
  }

  /**
   * New DKIM keys, which sign once their records are found; those that sign now go on until then.
   * @throws Refusal NotFound, RateLimited, Conflict while former keys have to stay, Forbidden where a key is bound to another domain
   */
  async rotateKeys({ ownerId, id, apiKey }: Input<"rotateDomainKeys">): Promise<Domain> {
    const { db, rotateKeys, checks } = this.#options;
    const { name } = await this.get(ownerId, id);
    (await KeyRestrictions.of(db, ownerId, apiKey)).checkDomain(name);
    await consume(this.#checks, `${ownerId} ${name}`, "This domain was looked at often enough for now.");
    await rotateKeys(id);
    await checks.check(id);
    return this.get(ownerId, id);
  }

  /** Its bindings lead nowhere from then on, and its patterns go. @throws Refusal NotFound, Forbidden where one is outside a key's restrictions */
  async remove({ ownerId, id, apiKey }: Input<"removeDomain">): Promise<void> {
    await this.#options.db.tx(async (tx) => {
      await lockOwner(tx, ownerId, noSuchDomain);
      const { name } = await selectDomain(tx, ownerId, wellFormedId(id));
      const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
      restrictions.checkDomain(name);
      checkPatterns(restrictions, await listPatterns(tx, ownerId, id));
      await checkDomainRestrictions(tx, { ownerId, name, apiKey });
      if ((await removeDomains(tx, "id = $1 and owner_id = $2", [wellFormedId(id), ownerId])) === 0)
        throw noSuchDomain();
    });
  }

  /** For operators. */
  all(name: string | null, limit: number): Promise<Domain[]> {
    const rest = "where $1::text is null or name = $1 order by name, id limit $2";
    return selectDomains(this.#options.db, rest, [name, limit]);
  }
}

/** @throws Refusal RateLimited */
async function consume(limit: Limit, key: string, sentence: string): Promise<void> {
  const { isAllowed, retryAfterS } = await limit.consume(key);
  if (!isAllowed) throw new Refusal("RateLimited", { public: sentence, retryAfterS });
}

/** @throws Refusal NotFound for what can be no id */
function wellFormedId(id: string): string {
  if (!isId(id)) throw noSuchDomain();
  return id;
}
