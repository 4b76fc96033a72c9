import { createPrivateKey } from "node:crypto";
import { TtlCache } from "../../platform/concurrency/ttl-cache.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { type PublishedKey, selectorOn } from "./dkim-keys.ts";
import { generatePrivateKey, publicKeyData } from "./key-pair.ts";
import { type SigningAlgorithm, SigningKey } from "./signing-key.ts";

const algorithms: readonly SigningAlgorithm[] = ["rsa-sha256", "ed25519-sha256"];
/** How long a domain that lost its keys' records may be signed for, and one that has them is not. */
const identityTtlMs = 10_000;
const maxIdentities = 1_000;
const resealMs = 60_000;
const resealLimit = 100;

/** In whose name a message is signed. */
export interface SigningIdentity {
  readonly domain: string;
  /** Those whose records are published. */
  readonly keys: readonly SigningKey[];
}

interface KeyRow extends PublishedKey {
  domainId: string;
  sealed: Buffer;
}

/** The DKIM keys of accounts' own domains: two for each, of the domain alone. */
export class DomainKeys {
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #identities = new TtlCache<SigningIdentity>({ ttlMs: identityTtlMs, maxEntries: maxIdentities });

  constructor(db: Database, sealer: Sealer) {
    this.#db = db;
    this.#sealer = sealer;
  }

  /** The keys to publish for a domain; made at the first call. */
  async of(domainId: string): Promise<PublishedKey[]> {
    const present = await this.#read(domainId);
    const missing = algorithms.filter((algorithm) => !present.some((key) => key.algorithm === algorithm));
    if (missing.length === 0) return present;
    const made = await Promise.all(missing.map((algorithm) => this.#make(domainId, algorithm)));
    await this.#db.tx(async (tx) => {
      // Of several that make them at the same time, the first to lock wins.
      await tx.query("lock table domain_key in share row exclusive mode");
      for (const key of made) await insertIfMissing(tx, key);
    });
    return this.#read(domainId);
  }

  /**
   * The identity of a domain that an account has proved. It has no keys while none is known to be published, and none for a
   * domain that is another account's now: mail that was accepted for the former one is not signed with the keys of the new.
   */
  identityOf(domain: string, ownerId: string): Promise<SigningIdentity> {
    return this.#identities.getOrLoad(`${ownerId} ${domain}`, async () => {
      const { rows } = await this.#db.query<KeyRow>(
        `select domain_id, selector, algorithm, sealed, public_key
           from own_domain join domain_key on domain_id = own_domain.id
          where name = $1 and owner_id = $2 and state in ('verified', 'broken') and selector = any (published_selectors)
          order by algorithm, selector`,
        [domain, ownerId],
        { name: "forwarder.signing_identity" },
      );
      return { domain, keys: rows.map((row) => this.#opened(row)) };
    });
  }

  /** The keys of all proved domains, for the records that their CNAMEs point to. */
  async ofProvedDomains(): Promise<(PublishedKey & { domainId: string })[]> {
    const { rows } = await this.#db.query<PublishedKey & { domainId: string }>(
      `select domain_id, selector, algorithm, public_key from own_domain join domain_key on domain_id = own_domain.id
        where state in ('verified', 'broken') order by name, selector`,
    );
    return rows;
  }

  /** Seals again what was sealed under the previous SECRET_KEY. */
  work(logger: Logger): PollingTask {
    return new PollingTask({
      name: "domain-signing-keys",
      intervalMs: resealMs,
      logger,
      run: () => this.#reseal(),
    });
  }

  async #reseal(): Promise<boolean> {
    const mark = this.#sealer.previousKeyMark;
    if (!mark) return false;
    const { rows } = await this.#db.query<KeyRow>(
      "select domain_id, selector, sealed from domain_key where substring(sealed from 1 for $2) = $1 limit $3",
      [mark, mark.length, resealLimit],
    );
    for (const { domainId, selector, sealed } of rows) {
      const place = sealPlace(domainId, selector);
      await this.#db.query("update domain_key set sealed = $3 where domain_id = $1 and selector = $2", [
        ...[domainId, selector],
        this.#sealer.seal(this.#sealer.open(sealed, place), place),
      ]);
    }
    return rows.length === resealLimit;
  }

  async #read(domainId: string): Promise<PublishedKey[]> {
    const { rows } = await this.#db.query<PublishedKey>(
      "select selector, algorithm, public_key from domain_key where domain_id = $1 order by algorithm desc, selector",
      [domainId],
    );
    return rows;
  }

  async #make(domainId: string, algorithm: SigningAlgorithm): Promise<KeyRow> {
    const privateKey = await generatePrivateKey(algorithm);
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const selector = selectorOn(new Date(), algorithm);
    const sealed = this.#sealer.seal(pem, sealPlace(domainId, selector));
    return { domainId, selector, algorithm, sealed, publicKey: publicKeyData(privateKey) };
  }

  #opened({ domainId, selector, algorithm, sealed }: KeyRow): SigningKey {
    return new SigningKey(
      selector,
      algorithm,
      createPrivateKey(this.#sealer.open(sealed, sealPlace(domainId, selector))),
    );
  }
}

async function insertIfMissing(tx: Transaction, { domainId, selector, algorithm, sealed, publicKey }: KeyRow) {
  await tx.query(
    `insert into domain_key (domain_id, selector, algorithm, sealed, public_key) select $1, $2, $3, $4, $5
      where not exists (select from domain_key where domain_id = $1 and algorithm = $3)`,
    [domainId, selector, algorithm, sealed, publicKey],
  );
}

function sealPlace(domainId: string, selector: string): string {
  return `domain_key/${domainId}/${selector}`;
}
