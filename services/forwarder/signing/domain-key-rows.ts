import { createPrivateKey } from "node:crypto";
import type { Database, Queryable } from "../../platform/db/types.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import { newKeyPair, type PublishedKey } from "./key-pair.ts";
import type { SigningKey } from "./signing-key.ts";

export interface DomainKeysOptions {
  db: Database;
  sealer: Sealer;
  /** How long a key stays published after its successor took over. */
  retiredDays: number;
  /**
   * Owners publish CNAMEs (DKIM_DELEGATION): each algorithm has a spare key from the beginning, which takes over after so many
   * days without the owner. Undefined where owners publish the keys themselves: these are changed when the owner asks.
   */
  rotatedAfterDays: number | undefined;
}

/** A row of domain_key. */
export interface KeyRow extends PublishedKey {
  domainId: string;
  /** The private half, PKCS #8 in PEM. */
  sealed: Buffer;
}

/** The keys that sign now, as far as their records are found. @param condition on the domain and its keys */
export const signingKeys = (condition: string): string =>
  `select distinct on (domain_id, algorithm) domain_id, selector, algorithm, sealed, public_key, signs_from, signing_since
     from own_domain join domain_key on domain_id = own_domain.id
    where state in ('verified', 'broken') and selector = any (published_selectors) and signs_from <= now() and ${condition}
    order by domain_id, algorithm, signs_from desc, selector desc`;

export async function makeKey(sealer: Sealer, key: Omit<KeyRow, "sealed" | "publicKey">): Promise<KeyRow> {
  const { privateKey, publicKey } = await newKeyPair(key.algorithm);
  return { ...key, sealed: sealer.seal(privateKey, sealContext(key)), publicKey };
}

export function openedKey(sealer: Sealer, key: KeyRow): SigningKey {
  const { selector, algorithm, sealed } = key;
  return { selector, algorithm, privateKey: createPrivateKey(sealer.open(sealed, sealContext(key))) };
}

/** @param key inserted, to sign in so many days, unless the domain has `maxCount` of its algorithm */
export async function insertIfFewer(db: Queryable, key: KeyRow & { days: number; maxCount: number }): Promise<void> {
  const { domainId, selector, algorithm, sealed, publicKey, days, maxCount } = key;
  await db.query(
    `insert into domain_key (domain_id, selector, algorithm, sealed, public_key, signs_from)
     select $1, $2, $3, $4, $5, now() + make_interval(days => $6)
      where (select count(*) from domain_key where domain_id = $1 and algorithm = $3) < $7`,
    [domainId, selector, algorithm, sealed, publicKey, days, maxCount],
  );
}

/** What a sealed key is bound to. */
export function sealContext({ domainId, selector }: Pick<KeyRow, "domainId" | "selector">): string {
  return `domain_key/${domainId}/${selector}`;
}
