import { createHash } from "node:crypto";
import type { z } from "zod";
import { TtlCache } from "../../platform/concurrency/ttl-cache.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import { randomToken, tokenDigest } from "../../platform/security/tokens.ts";
import { lockAccountFor, type Requester } from "../accounts/account-lock.ts";
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

  /**
   * The account's token, for one of its sessions; made when first asked for, the same until it is revoked. To show it again nothing
   * is written. @throws Refusal FreshProofRequired where the session has ended meanwhile, NotFound for an account that is gone or disabled
   */
  async current(requester: Requester): Promise<string> {
    const { accountId, sessionId } = requester;
    const { rows } = await this.#db.query<{ sealed: Buffer }>(
      `select sealed from api_token where account_id = $1
          and exists (select from session where id = $2 and session.account_id = $1)`,
      [accountId, sessionId ?? null],
    );
    const kept = rows[0]?.sealed ?? (await this.#make(requester));
    return this.#sealer.open(kept, sealContext(accountId));
  }

  /** The account's token; undefined when none was made, or it was revoked. */
  async existing(accountId: string): Promise<string | undefined> {
    const kept = await sealedIn(this.#db, accountId);
    return kept && this.#sealer.open(kept, sealContext(accountId));
  }

  /** Two that ask at once get one token: the one that comes second waits, and finds it. */
  #make(requester: Requester): Promise<Buffer> {
    const { accountId } = requester;
    return this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      const kept = await sealedIn(tx, accountId);
      if (kept) return kept;
      const token = newToken();
      const sealed = this.#sealer.seal(token, sealContext(accountId));
      await tx.query("insert into api_token (account_id, hash, sealed) values ($1, $2, $3)", [
        accountId,
        tokenDigest(token),
        sealed,
      ]);
      return sealed;
    });
  }

  /** Revokes the account's token, and gives a new one. @throws Refusal as lockAccountFor */
  async rotate(requester: Requester): Promise<string> {
    const { accountId } = requester;
    const token = newToken();
    await this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      await tx.query(
        `insert into api_token (account_id, hash, sealed) values ($1, $2, $3)
         on conflict (account_id) do update set hash = excluded.hash, sealed = excluded.sealed, created_at = now()`,
        [accountId, tokenDigest(token), this.#sealer.seal(token, sealContext(accountId))],
      );
      tx.afterCommit(() => this.forget(accountId));
    });
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

async function sealedIn(queryable: Queryable, accountId: string): Promise<Buffer | undefined> {
  const { rows } = await queryable.query<{ sealed: Buffer }>("select sealed from api_token where account_id = $1", [
    accountId,
  ]);
  return rows[0]?.sealed;
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
