import { createHash } from "node:crypto";
import type { z } from "zod";
import { TtlCache } from "../../platform/concurrency/ttl-cache.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import { randomToken, tokenDigest } from "../../platform/security/tokens.ts";
import type { Caller } from "../contract.ts";

/** 256 bits behind a prefix that secret scanners can know. */
const tokenPattern = /^pst_[\w-]{43}$/;

/**
 * How long a token that was found good is not looked up again: a program asks many times a second. Revoked by this process, it is
 * worth nothing at once; by another, within this time.
 */
const cacheOptions = { ttlMs: 1_000, maxEntries: 10_000 };

const sealContext = (accountId: string) => `api_token/${accountId}`;

/**
 * API tokens: random, found by their SHA-256 (a token of 256 bits needs no slower hash), and kept sealed to be shown again.
 * Not derived from SECRET_KEY: a derived token would change with the key and break every program that holds one, and whoever
 * learnt the key would have them all without ever seeing the database.
 */
export class ApiTokens {
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #known = new TtlCache<z.output<typeof Caller>>(cacheOptions);

  constructor(db: Database, sealer: Sealer) {
    this.#db = db;
    this.#sealer = sealer;
  }

  /** The account's token; made when first asked for, the same until it is revoked. To show it again nothing is written. */
  async current(accountId: string): Promise<string> {
    const kept = (await this.#sealed(accountId)) ?? (await this.#make(accountId));
    // Revoked by disabling the account just after it was made.
    if (!kept) throw new Refusal("NotFound", { public: "There is no such account." });
    return this.#sealer.open(kept, sealContext(accountId));
  }

  /** The account's token; undefined when none was made, or it was revoked. */
  async existing(accountId: string): Promise<string | undefined> {
    const kept = await this.#sealed(accountId);
    return kept && this.#sealer.open(kept, sealContext(accountId));
  }

  async #sealed(accountId: string): Promise<Buffer | undefined> {
    const { rows } = await this.#db.query<{ sealed: Buffer }>("select sealed from api_token where account_id = $1", [
      accountId,
    ]);
    return rows[0]?.sealed;
  }

  /** Two that ask at once get one token: the one that comes second waits, and finds it. */
  async #make(accountId: string): Promise<Buffer | undefined> {
    const token = newToken();
    await this.#db.query(
      "insert into api_token (account_id, hash, sealed) values ($1, $2, $3) on conflict (account_id) do nothing",
      [accountId, tokenDigest(token), this.#sealer.seal(token, sealContext(accountId))],
    );
    return this.#sealed(accountId);
  }

  /** Revokes the account's token, and gives a new one. @throws Refusal NotFound when there is no such account, or it is disabled. */
  async rotate(accountId: string): Promise<string> {
    const token = newToken();
    const { rowCount } = await this.#db.query(
      `insert into api_token (account_id, hash, sealed) select id, $2, $3 from account where id = $1 and disabled_at is null
       on conflict (account_id) do update set hash = excluded.hash, sealed = excluded.sealed, created_at = now()`,
      [isId(accountId) ? accountId : null, tokenDigest(token), this.#sealer.seal(token, sealContext(accountId))],
    );
    if (rowCount === 0) throw new Refusal("NotFound", { public: "There is no such account." });
    this.forget(accountId);
    return token;
  }

  /** The account has none from here on; false when it had none. */
  async revoke(tx: Transaction, accountId: string): Promise<boolean> {
    const { rowCount } = await tx.query("delete from api_token where account_id = $1", [accountId]);
    tx.afterCommit(() => this.forget(accountId));
    return rowCount > 0;
  }

  /** The account's token was revoked, or went with the account. */
  forget(accountId: string): void {
    this.#known.invalidate((caller) => caller.accountId === accountId);
  }

  /** Who a token stands for: the hottest call of all. @throws Refusal TokenNotFound. */
  async caller(token: string): Promise<z.output<typeof Caller>> {
    if (!tokenPattern.test(token)) throw notFound();
    const hash = tokenDigest(token);
    return this.#known.getOrLoad(hash.toString("base64"), () => this.#find(hash));
  }

  async #find(hash: Buffer): Promise<z.output<typeof Caller>> {
    const { rows } = await this.#db.query<{ id: string; username: string }>(
      `select id, username from api_token join account on id = account_id where hash = $1 and disabled_at is null`,
      [hash],
      { name: "auth.api_token", gathered: true },
    );
    const [account] = rows;
    if (!account) throw notFound();
    const tokenId = tokenIdOf(hash);
    return { accountId: account.id, username: account.username, isFullyAuthenticated: true, tokenId };
  }
}

function newToken(): string {
  return `pst_${randomToken()}`;
}

/** Tells it from the account's next, and reveals nothing of it. */
function tokenIdOf(hash: Buffer): string {
  return createHash("sha256").update(hash).digest("hex").slice(0, 16);
}

function notFound(): Refusal {
  return new Refusal("TokenNotFound", { public: "Token not found" });
}
