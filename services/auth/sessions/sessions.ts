import type { z } from "zod";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { BearerToken as BearerTokenSchema, Caller } from "../contract.ts";
import { signBearer, verifyBearer } from "../tokens/bearer-tokens.ts";
import type { TokenSigningKeys } from "../tokens/signing-keys.ts";
import { KnownClients } from "./known-clients.ts";
import { initialStateOf, lockStillGood, type OpenedBy } from "./opened-by.ts";

export type BearerToken = z.output<typeof BearerTokenSchema>;

/** Where somebody signs in from. */
export interface Origin {
  clientAddress: string;
  /** A plain name of what it is done with, such as "Firefox on Linux", where it said so. */
  browser?: string | undefined;
  /** The id of the browser in its cookie, the same for every account that signs in with it. */
  device?: string | undefined;
}

/** A sign-in, as its account's owner sees it. */
export interface Session {
  id: string;
  clientAddress: string;
  browser: string | null;
  isSecondFactorGranted: boolean;
  createdAt: string;
  expiresAt: string;
}

interface SessionRow extends Omit<Session, "createdAt" | "expiresAt"> {
  createdAt: Date;
  expiresAt: Date;
}

const sweepBatchSize = 5_000;

/** Of an account, and of those by one program at one client address: whoever signs in over and over ends its own first. */
const maxSessions = { perAccount: 5_000, perPlace: 1_000 };
/** Surplus ones that a sign-in ends at most. */
const endedAtOnce = 1_000;

/** Sign-in sessions: each stands behind one bearer token, which is worth nothing without it. */
export class Sessions {
  readonly #db: Database;
  readonly #keys: TokenSigningKeys;
  readonly #lifetimeMs: number;
  readonly #knownClients: KnownClients;

  constructor(db: Database, keys: TokenSigningKeys, lifetimeMs: number) {
    this.#db = db;
    this.#keys = keys;
    this.#lifetimeMs = lifetimeMs;
    this.#knownClients = new KnownClients(db);
  }

  /**
   * A session of an account, and the bearer token for it; undefined when the account was deleted or disabled meanwhile, or what it is
   * opened by is no longer good. Of sessions opened at once, one alone is the account's first.
   */
  async open(accountId: string, origin: Origin, by: OpenedBy): Promise<BearerToken | undefined> {
    const { clientAddress, browser } = origin;
    const { isSecondFactorGranted, isProofFresh } = initialStateOf(by);
    const sessionId = newId();
    const expiresAt = new Date(Math.floor((Date.now() + this.#lifetimeMs) / 1000) * 1000);
    const key = await this.#keys.signing();
    const opened = await this.#db.tx(async (tx) => {
      if (!(await lockStillGood(tx, accountId, by))) return undefined;
      const { rows } = await tx.query<{ isNewAccount: boolean }>(
        `with first as (update account set first_signed_in_at = now() where id = $2 and first_signed_in_at is null returning id)
         insert into session (id, account_id, signing_key_id, is_second_factor_granted, client_address, browser, expires_at, proved_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $8 then now() else (select proved_at from session where id = $9) end)
         returning exists (select from first) as is_new_account`,
        [
          sessionId,
          accountId,
          key.id,
          isSecondFactorGranted,
          clientAddress,
          browser,
          expiresAt,
          isProofFresh,
          "sessionId" in by ? by.sessionId : null,
        ],
        { name: "auth.open_session" },
      );
      await this.#knownClients.remember(accountId, origin, isSecondFactorGranted, tx);
      await endSurplus(tx, accountId, origin);
      return rows[0];
    });
    if (!opened) return undefined;
    const token = await signBearer({ sessionId, accountId, isSecondFactorGranted, expiresAt }, key);
    return {
      id: sessionId,
      token,
      expiresAt: expiresAt.toISOString(),
      isSecondFactorGranted,
      isNewAccount: opened.isNewAccount,
      accountId,
    };
  }

  /** Who a bearer token stands for. @throws Refusal BearerTokenInvalid when it is malformed, expired or revoked, or its account disabled. */
  async caller(bearer: string): Promise<z.output<typeof Caller>> {
    const claims = await verifyBearer(bearer, this.#keys);
    if (!claims) throw bearerInvalid();
    const { rows } = await this.#db.query<z.output<typeof Caller>>(
      `select account.id as account_id, username, session.id as session_id, is_operator,
              is_second_factor_granted or not exists (select from second_factor where account_id = account.id and confirmed_at is not null) as is_fully_authenticated
         from session join account on account.id = session.account_id
        where session.id = $1 and account.id = $2 and disabled_at is null`,
      [claims.sessionId, claims.accountId],
      { name: "auth.session", gathered: true },
    );
    const [caller] = rows;
    if (!caller) throw bearerInvalid();
    return caller;
  }

  /** The sessions of an account that have not ended, newest first. */
  async list(accountId: string): Promise<Session[]> {
    const { rows } = await this.#db.query<SessionRow>(
      `select id, client_address, browser, is_second_factor_granted,
              created_at, expires_at
         from session where account_id = $1 and expires_at > now() order by id desc limit $2`,
      [accountId, maxSessions.perAccount],
    );
    return rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    }));
  }

  /** Ends a session: its bearer token is worth nothing from here on. @throws Refusal NotFound */
  async revoke(accountId: string, sessionId: string): Promise<void> {
    const { rowCount } = await this.#db.query(`delete from session where id = $1 and account_id = $2`, [
      isId(sessionId) ? sessionId : null,
      accountId,
    ]);
    if (rowCount === 0) throw new Refusal("NotFound", { public: "There is no such session." });
  }

  /** The second factor was given within this session. */
  async grantSecondFactor(accountId: string, sessionId: string): Promise<void> {
    await this.#db.query(`update session set is_second_factor_granted = true where id = $1 and account_id = $2`, [
      sessionId,
      accountId,
    ]);
  }

  /** Ends all sessions of an account but one. @returns how many that were */
  async revokeOthers(accountId: string, kept: string | undefined, queryable: Queryable = this.#db): Promise<number> {
    const { rowCount } = await queryable.query(
      `delete from session where account_id = $1 and id is distinct from $2::uuid`,
      [accountId, kept ?? null],
    );
    return rowCount;
  }

  /**
   * Deletes sessions that ended a day ago, and clients that were not seen for long; true when more may be left. Until then a download that
   * began in time tells a session that has expired from one that was revoked.
   */
  async sweep(): Promise<boolean> {
    await this.#knownClients.sweep();
    const { rowCount } = await this.#db.query(
      `delete from session where id in (select id from session where expires_at <= now() - interval '1 day' limit $1)`,
      [sweepBatchSize],
    );
    return rowCount === sweepBatchSize;
  }
}

/** Ends the oldest sessions beyond what an account may have. The account is locked. */
async function endSurplus(tx: Transaction, accountId: string, { clientAddress, browser }: Origin): Promise<void> {
  await tx.query(
    `delete from session where id in (
       (select id from session where account_id = $1 and client_address = $2 and browser is not distinct from $3
         order by id desc offset $4 limit $6)
       union (select id from session where account_id = $1 order by id desc offset $5 limit $6))`,
    [accountId, clientAddress, browser ?? null, maxSessions.perPlace, maxSessions.perAccount, endedAtOnce],
    { name: "auth.end_surplus_sessions" },
  );
}

export function bearerInvalid(): Refusal {
  return new Refusal("BearerTokenInvalid", { public: "The bearer token is not valid, or no longer." });
}
