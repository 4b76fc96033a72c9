import type { Queryable, Transaction } from "../../platform/db/types.ts";
import { type DomainKeysOptions, type KeyRow, makeKey, sealContext, signingKeys } from "./domain-key-rows.ts";

/** Keys in one turn of the work. */
const limit = 100;

interface RetiredKey extends Pick<KeyRow, "domainId" | "selector" | "algorithm"> {
  /** Since when the key that signs now does so. */
  successorSince: Date;
  hasNext: boolean;
}

/** Former keys whose records may go: where records are delegated a new key takes their place, to be the next; else they are removed. */
export async function retireKeys(options: DomainKeysOptions): Promise<void> {
  const { db, retiredDays, rotatedAfterDays } = options;
  await db.query(
    `update domain_key set signing_since = now() from (${signingKeys("true")}) as current
      where domain_key.domain_id = current.domain_id and domain_key.selector = current.selector
        and domain_key.signing_since is null`,
  );
  for (const key of await retiredKeys(db, retiredDays))
    if (rotatedAfterDays === undefined || key.hasNext)
      await ifStillRetired(options, key, (tx) =>
        tx.query("delete from domain_key where domain_id = $1 and selector = $2", [key.domainId, key.selector]),
      );
    else await renew(options, key, rotatedAfterDays);
}

/** @param only of one domain */
async function retiredKeys(db: Queryable, retiredDays: number, only?: string): Promise<RetiredKey[]> {
  const { rows } = await db.query<RetiredKey>(
    `select former.domain_id, former.selector, algorithm, current.signing_since as successor_since,
            exists (select from domain_key as next where next.domain_id = current.domain_id
                       and next.algorithm = current.algorithm and next.signs_from > current.signs_from) as has_next
       from (${signingKeys("domain_id = coalesce($3, domain_id)")}) as current join domain_key as former using (domain_id, algorithm)
      where former.signs_from < current.signs_from and current.signing_since < now() - make_interval(days => $1)
      limit $2`,
    [retiredDays, limit, only ?? null],
  );
  return rows;
}

/** What bindings says of the domain waits meanwhile: the record of the key that took over may have vanished, and this one signs again. */
async function ifStillRetired(
  { db, retiredDays }: DomainKeysOptions,
  { domainId, selector }: RetiredKey,
  act: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query("select from own_domain where id = $1 for no key update", [domainId]);
    const retired = await retiredKeys(tx, retiredDays, domainId);
    if (retired.some((key) => key.selector === selector)) await act(tx);
  });
}

/** Only the record that the owner's CNAME points to changes. */
async function renew(options: DomainKeysOptions, key: RetiredKey, afterDays: number): Promise<void> {
  const { domainId, selector, sealed, publicKey } = await makeKey(options.sealer, key);
  await ifStillRetired(options, key, (tx) =>
    tx.query(
      `update domain_key set sealed = $3, public_key = $4, made_at = now(), signing_since = null,
              signs_from = now() + make_interval(days => $6)
        where domain_id = $1 and selector = $2 and signs_from < $5`,
      [domainId, selector, sealed, publicKey, key.successorSince, afterDays],
    ),
  );
}

/** Seals again what was sealed under the previous SECRET_KEY. @returns whether there may be more */
export async function resealKeys({ db, sealer }: DomainKeysOptions): Promise<boolean> {
  const mark = sealer.previousKeyMark;
  if (!mark) return false;
  const { rows } = await db.query<KeyRow>(
    "select domain_id, selector, sealed from domain_key where substring(sealed from 1 for $2) = $1 limit $3",
    [mark, mark.length, limit],
  );
  for (const key of rows) {
    const resealed = sealer.seal(sealer.open(key.sealed, sealContext(key)), sealContext(key));
    await db.query("update domain_key set sealed = $3 where domain_id = $1 and selector = $2 and sealed = $4", [
      ...[key.domainId, key.selector, resealed, key.sealed],
    ]);
  }
  return rows.length === limit;
}
