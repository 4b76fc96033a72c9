import type { z } from "zod";
import { TtlCache } from "../../platform/concurrency/ttl-cache.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId, newId } from "../../platform/ids.ts";
import { randomToken, tokenDigest } from "../../platform/security/tokens.ts";
import { lockAccountFor, type Requester } from "../accounts/account-lock.ts";
import type { SecurityNotices } from "../accounts/security-notices.ts";
import type { Caller } from "../contract.ts";
import type { ApiKey as ApiKeySchema } from "./contract.ts";
import { type ApiKeyInput, type CheckedInput, checkKeyInput } from "./key-input.ts";

/** Told from the API token (`pst_`) by its prefix, which secret scanners can know; 256 bits behind it. */
const keyPattern = /^psk_[\w-]{43}$/;

/** Of one account: more than it needs, so that no account can fill the table. */
const maxKeys = 50;

/** As for API tokens: revoked by another process, a key is worth nothing within this time. */
const cacheOptions = { ttlMs: 1_000, maxEntries: 10_000 };

/** For so long an expired key is still shown to its owner. */
const shownAfterExpiryDays = 30;

const sweepBatchSize = 5_000;

export type ApiKey = z.output<typeof ApiKeySchema>;

interface KeyRow extends Omit<ApiKey, "expiresAt" | "lastUsedAt" | "createdAt"> {
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

interface CallerRow extends Pick<KeyRow, "id" | "scopes" | "domain" | "targetIds"> {
  accountId: string;
  username: string;
  isUseUnrecorded: boolean;
}

const columns = `id, name, scopes, domain, target_ids, expires_at, last_used_at, created_at`;

/** API keys, each for a purpose: random, and found by their SHA-256 (256 random bits need no slower hash). */
export class ApiKeys {
  readonly #db: Database;
  readonly #notices: SecurityNotices;
  readonly #known = new TtlCache<z.output<typeof Caller>>(cacheOptions);

  constructor(db: Database, notices: SecurityNotices) {
    this.#db = db;
    this.#notices = notices;
  }

  /** Makes a key, which is shown this once. @throws Refusal as lockAccountFor; ValidationFailed, QuotaExceeded */
  async create(requester: Requester, input: ApiKeyInput): Promise<{ key: string; apiKey: ApiKey }> {
    const checked = checkKeyInput(input);
    return this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      return this.insert(tx, requester.accountId, checked);
    });
  }

  /** The same, once the account is locked and who asks is known. @throws Refusal QuotaExceeded */
  async insert(
    tx: Transaction,
    accountId: string,
    { name, scopes, domain, targetIds, expiresAt }: CheckedInput,
  ): Promise<{ key: string; apiKey: ApiKey }> {
    const key = `psk_${randomToken()}`;
    const { rows } = await tx.query<KeyRow>(
      `insert into api_key (id, account_id, name, hash, scopes, domain, target_ids, expires_at)
       select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from api_key where account_id = $2) < $9 returning ${columns}`,
      [newId(), accountId, name, tokenDigest(key), scopes, domain, targetIds, expiresAt, maxKeys],
    );
    const [made] = rows;
    if (!made)
      throw new Refusal("QuotaExceeded", { public: `There can be ${maxKeys} API keys; revoke one that is not used.` });
    await this.#notices.send(tx, accountId, `An API key was made: ${name}.`);
    return { key, apiKey: shown(made) };
  }

  /** Holds a key to something else from here on. @throws Refusal NotFound */
  async change(
    tx: Transaction,
    accountId: string,
    id: string,
    { name, scopes, domain, targetIds, expiresAt }: CheckedInput,
  ): Promise<ApiKey> {
    const { rows } = await tx.query<KeyRow>(
      `update api_key set name = $3, scopes = $4, domain = $5, target_ids = $6, expires_at = $7
        where id = $2 and account_id = $1 returning ${columns}`,
      [accountId, id, name, scopes, domain, targetIds, expiresAt],
    );
    const [changed] = rows;
    if (!changed) throw noSuchKey();
    await this.#notices.send(tx, accountId, `An API key was changed: ${name}.`);
    tx.afterCommit(() => this.#known.invalidate(({ key }) => key?.id === id));
    return shown(changed);
  }

  /** An account's, in the order they were made. */
  list(accountId: string): Promise<ApiKey[]> {
    return selectKeys(this.#db, "account_id = $1", [accountId]);
  }

  /** It is worth nothing from here on. @throws Refusal as lockAccountFor; NotFound */
  async revoke(requester: Requester, id: string): Promise<void> {
    await this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      await this.remove(tx, requester.accountId, id);
    });
  }

  /** The same, once the account is locked and who asks is known. @throws Refusal NotFound */
  async remove(tx: Transaction, accountId: string, id: string): Promise<void> {
    const { rowCount } = await tx.query(`delete from api_key where id = $1 and account_id = $2`, [
      isId(id) ? id : null,
      accountId,
    ]);
    if (rowCount === 0) throw noSuchKey();
    tx.afterCommit(() => this.#known.invalidate(({ key }) => key?.id === id));
  }

  /** The account has none from here on. @returns how many it had */
  async revokeAll(tx: Transaction, accountId: string): Promise<number> {
    const { rowCount } = await tx.query(`delete from api_key where account_id = $1`, [accountId]);
    tx.afterCommit(() => this.forget(accountId));
    return rowCount;
  }

  /** The account's keys went with it. */
  forget(accountId: string): void {
    this.#known.invalidate((caller) => caller.accountId === accountId);
  }

  /** Who a key stands for, and what it is held to. @throws Refusal TokenNotFound for one that is unknown, revoked or expired */
  async caller(key: string): Promise<z.output<typeof Caller>> {
    if (!keyPattern.test(key)) throw notFound();
    const hash = tokenDigest(key);
    return this.#known.getOrLoad(hash.toString("base64"), () => this.#find(hash));
  }

  async #find(hash: Buffer): Promise<z.output<typeof Caller>> {
    const { rows } = await this.#db.query<CallerRow>(
      `select api_key.id, account_id, username, scopes, domain, target_ids,
              coalesce(last_used_at < now() - interval '1 minute', true) as is_use_unrecorded
         from api_key join account on account.id = account_id
        where hash = $1 and disabled_at is null and (expires_at is null or expires_at > now())`,
      [hash],
      { name: "auth.api_key", gathered: true },
    );
    const [found] = rows;
    if (!found) throw notFound();
    const { accountId, username, isUseUnrecorded, ...key } = found;
    if (isUseUnrecorded) await this.#recordUse(key.id);
    return { accountId, username, isFullyAuthenticated: true, key };
  }

  /** At most once a minute, whichever process sees the key. */
  async #recordUse(id: string): Promise<void> {
    await this.#db.query(
      `update api_key set last_used_at = now() where id = $1 and coalesce(last_used_at < now() - interval '1 minute', true)`,
      [id],
    );
  }

  /** Deletes keys that expired long ago; true when more may be left. */
  async sweep(): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `delete from api_key where id in
         (select id from api_key where expires_at < now() - make_interval(days => $1) limit $2)`,
      [shownAfterExpiryDays, sweepBatchSize],
    );
    return rowCount === sweepBatchSize;
  }
}

/** In the order they were made. */
export async function selectKeys(db: Queryable, where: string, params: readonly unknown[]): Promise<ApiKey[]> {
  const { rows } = await db.query<KeyRow>(`select ${columns} from api_key where ${where} order by id`, params);
  return rows.map(shown);
}

export function noSuchKey(): Refusal {
  return new Refusal("NotFound", { public: "There is no such API key." });
}

function shown({ expiresAt, lastUsedAt, createdAt, ...row }: KeyRow): ApiKey {
  return {
    ...row,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

function notFound(): Refusal {
  return new Refusal("TokenNotFound", { public: "Token not found" });
}
