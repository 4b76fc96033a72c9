import { createHash, randomBytes } from "node:crypto";
import type { z } from "zod";
import type { Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Domain as DomainSchema } from "./contract.ts";
import type { Condition } from "./state.ts";

export type Domain = z.output<typeof DomainSchema>;

/** A row of `domain`, for checks. */
export interface DomainRow extends Condition {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly token: string;
  readonly epoch: number;
  readonly publishedSelectors: readonly string[];
}

type ShownRow = Omit<Domain, "checkedAt" | "failingSince"> & { checkedAt: Date | null; failingSince: Date | null };

const columns = `id, owner_id, name, state, token, epoch, failures, failing_since, broken_at, notices_sent, published_selectors`;
const shownColumns = `id, owner_id, name, state, checked_at, failing_since,
  (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'type', type, 'expected', expected, 'found', found, 'verdict', verdict,
                                                'keyStage', key_stage, 'keepUntil', keep_until)
                             order by position), '[]')
     from domain_check where domain_id = domain.id) as records`;
const tokenBytes = 20;

export function newToken(): string {
  return randomBytes(tokenBytes).toString("hex");
}

/** Domains as they are shown. `rest` is the statement from its `where` on. */
export async function selectDomains(db: Queryable, rest: string, params: readonly unknown[]): Promise<Domain[]> {
  const { rows } = await db.query<ShownRow>(`select ${shownColumns} from domain ${rest}`, params);
  return rows.map(({ checkedAt, failingSince, ...shown }) => ({
    ...shown,
    records: shown.records.map(({ keepUntil, ...record }) => ({
      ...record,
      keepUntil: keepUntil && new Date(keepUntil).toISOString(),
    })),
    checkedAt: checkedAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
  }));
}

/** The same for one of an account's. @throws Refusal NotFound, for somebody else's as well */
export async function selectDomain(db: Queryable, ownerId: string, id: string): Promise<Domain> {
  const [domain] = await selectDomains(db, "where id = $1 and owner_id = $2", [id, ownerId]);
  if (!domain) throw noSuchDomain();
  return domain;
}

export async function readDomain(db: Queryable, id: string): Promise<DomainRow | undefined> {
  const { rows } = await db.query<DomainRow>(`select ${columns} from domain where id = $1`, [id]);
  return rows[0];
}

/**
 * Locks the accounts that have added a domain of this name, then their rows of it: the accounts first, and in the order of their ids, as
 * every change to an account's bindings begins with its lock.
 */
export async function lockDomainsNamed(tx: Transaction, name: string): Promise<DomainRow[]> {
  await tx.query("select from owner where id in (select owner_id from domain where name = $1) order by id for update", [
    name,
  ]);
  const { rows } = await tx.query<DomainRow>(`select ${columns} from domain where name = $1 order by id for update`, [
    name,
  ]);
  return rows;
}

/** What is stored of a domain's name beyond the domain. */
function nameDigest(name: string): Buffer {
  return createHash("sha256").update(name).digest();
}

/** The epoch of a domain that an account has just proved: a new one where another account proved it last. */
export async function claimEpoch(tx: Transaction, name: string, ownerId: string): Promise<number> {
  const { rows } = await tx.query<{ epoch: number }>(
    `insert into domain_epoch (digest, epoch, owner_id) values ($1, 1, $2)
     on conflict (digest) do update set owner_id = excluded.owner_id,
            epoch = domain_epoch.epoch + case when domain_epoch.owner_id = excluded.owner_id then 0 else 1 end
     returning epoch`,
    [nameDigest(name), ownerId],
  );
  return rows[0]?.epoch ?? 1;
}

export function noSuchDomain(): Refusal {
  return new Refusal("NotFound", { public: "There is no such domain." });
}
