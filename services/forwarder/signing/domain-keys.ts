import { TtlCache } from "../../platform/concurrency/ttl-cache.ts";
import { Refusal } from "../../platform/errors.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import {
  type DomainKeysOptions,
  insertIfFewer,
  type KeyRow,
  makeKey,
  openedKey,
  signingKeys,
} from "./domain-key-rows.ts";
import { type DomainKey, type StoredKey, withStages } from "./domain-key-stages.ts";
import { algorithms, type PublishedKey, unusedSelector } from "./key-pair.ts";
import { resealKeys, retireKeys } from "./retire-domain-keys.ts";
import type { SigningAlgorithm, SigningIdentity } from "./signing-key.ts";

/** How long a domain that lost its keys' records may be signed for, and one that has them is not. */
const identityTtlMs = 10_000;
const maxIdentities = 1_000;
const workIntervalMs = 60_000;

/** The DKIM keys of accounts' own domains: of each algorithm one that signs, of the domain alone, and its successor or predecessor. */
export class DomainKeys {
  readonly #options: DomainKeysOptions;
  readonly #identities = new TtlCache<SigningIdentity>({ ttlMs: identityTtlMs, maxEntries: maxIdentities });

  constructor(options: DomainKeysOptions) {
    this.#options = options;
  }

  /** The keys to publish for a domain; made at the first call. */
  async of(domainId: string): Promise<DomainKey[]> {
    const { rotatedAfterDays } = this.#options;
    const present = await this.#read(domainId);
    const leadDays = rotatedAfterDays === undefined ? [0] : [0, rotatedAfterDays];
    const missing = algorithms.flatMap((algorithm) =>
      leadDays
        .slice(present.filter((key) => key.algorithm === algorithm).length)
        .map((days) => ({ algorithm, days, maxCount: leadDays.length })),
    );
    if (missing.length === 0) return present;
    await this.#insert(domainId, present, missing);
    return this.#read(domainId);
  }

  /**
   * Lets new keys take over as soon as their records are found. Keys that wait for that already are not made again.
   * @throws Refusal Conflict while the records of former keys have to stay
   */
  async rotate(domainId: string): Promise<void> {
    const present = await this.of(domainId);
    const keepUntil = present.find(({ stage }) => stage === "former")?.keepUntil;
    if (keepUntil)
      throw new Refusal("Conflict", {
        public: `The keys of this domain were changed: the former ones stay until ${keepUntil.toISOString()}, and can be changed again then.`,
      });
    await this.#options.db.query(
      "update domain_key set signs_from = now() where domain_id = $1 and signs_from > now()",
      [domainId],
    );
    const withoutNext = algorithms.filter(
      (algorithm) => !present.some((key) => key.algorithm === algorithm && key.stage === "next"),
    );
    const more = withoutNext.map((algorithm) => ({ algorithm, days: 0, maxCount: 2 }));
    await this.#insert(domainId, present, more);
  }

  /**
   * The identity of a domain that an account has proved. It has no keys while none is known to be published, and none for a
   * domain that is another account's now: mail that was accepted for the former one is not signed with the keys of the new.
   */
  identityOf(domain: string, ownerId: string): Promise<SigningIdentity> {
    const { db, sealer } = this.#options;
    return this.#identities.getOrLoad(`${ownerId} ${domain}`, async () => {
      const { rows } = await db.query<KeyRow>(signingKeys("name = $1 and owner_id = $2"), [domain, ownerId], {
        name: "forwarder.signing_identity",
      });
      return { domain, keys: rows.map((row) => openedKey(sealer, row)) };
    });
  }

  /** The keys of all proved domains, for the records that their CNAMEs point to. */
  async ofProvedDomains(): Promise<(PublishedKey & { domainId: string })[]> {
    const { rows } = await this.#options.db.query<PublishedKey & { domainId: string }>(
      `select domain_id, selector, algorithm, public_key from own_domain join domain_key on domain_id = own_domain.id
        where state in ('verified', 'broken') order by name, selector`,
    );
    return rows;
  }

  /** Removes or renews former keys, and seals again what was sealed under the previous SECRET_KEY. */
  work(logger: Logger): PollingTask {
    const run = async () => {
      await retireKeys(this.#options);
      return resealKeys(this.#options);
    };
    return new PollingTask({ name: "domain-signing-keys", intervalMs: workIntervalMs, logger, run });
  }

  async #read(domainId: string): Promise<DomainKey[]> {
    const { rows } = await this.#options.db.query<StoredKey>(
      `select selector, algorithm, public_key, signs_from <= now() as is_due, signing_since,
              coalesce(selector = any (published_selectors), false) as is_published
         from domain_key left join own_domain on own_domain.id = domain_id
        where domain_id = $1 order by algorithm desc, signs_from, selector`,
      [domainId],
    );
    return withStages(rows, this.#options.retiredDays);
  }

  /** @param wanted each is inserted unless there are so many of its algorithm: of several that make them at the same time, one wins */
  async #insert(
    domainId: string,
    present: readonly PublishedKey[],
    wanted: readonly { algorithm: SigningAlgorithm; days: number; maxCount: number }[],
  ): Promise<void> {
    const { db, sealer } = this.#options;
    const taken = new Set(present.map(({ selector }) => selector));
    const made = await Promise.all(
      wanted.map(({ algorithm, ...rest }) => {
        const selector = unusedSelector(taken, algorithm);
        taken.add(selector);
        return makeKey(sealer, { domainId, selector, algorithm }).then((key) => ({ ...key, ...rest }));
      }),
    );
    await db.tx(async (tx) => {
      await tx.query("lock table domain_key in share row exclusive mode");
      for (const key of made) await insertIfFewer(tx, key);
    });
  }
}
