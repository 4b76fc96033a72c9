import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import { lockAccountFor, type Requester } from "../accounts/account-lock.ts";
import type { SecurityNotices } from "../accounts/security-notices.ts";
import { refuseUnless } from "../sessions/sign-in-throttle.ts";
import { makeRecoveryCodes, useRecoveryCode } from "./recovery-codes.ts";
import { newTotpSecret, timeStepOf, totpUri } from "./totp.ts";

const sealContext = (accountId: string) => `second_factor/${accountId}`;

interface Factor {
  sealed: Buffer;
  isConfirmed: boolean;
}

interface Dependencies {
  db: Database;
  sealer: Sealer;
  attempts: Limit;
  notices: SecurityNotices;
  /** What an authenticator shows the account under. */
  issuer: string;
}

/** TOTP as the second factor of an account, and recovery codes for a lost device. */
export class SecondFactor {
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #attempts: Limit;
  readonly #notices: SecurityNotices;
  readonly #issuer: string;

  constructor({ db, sealer, attempts, notices, issuer }: Dependencies) {
    this.#db = db;
    this.#sealer = sealer;
    this.#attempts = attempts;
    this.#notices = notices;
    this.#issuer = issuer;
  }

  /** A secret for an authenticator; nothing is asked for until it is confirmed. @throws Refusal as lockAccountFor; Conflict when one is in force. */
  async begin(requester: Requester): Promise<{ secret: string; uri: string }> {
    const { accountId } = requester;
    const secret = newTotpSecret();
    const sealed = this.#sealer.seal(secret, sealContext(accountId));
    const username = await this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      const { rows } = await tx.query<{ username: string }>(
        `insert into second_factor (account_id, sealed) values ($1, $2)
         on conflict (account_id) do update set sealed = excluded.sealed, last_step = 0 where second_factor.confirmed_at is null
         returning (select username from account where id = account_id)`,
        [accountId, sealed],
      );
      return rows[0]?.username;
    });
    if (username === undefined)
      throw new Refusal("Conflict", {
        public: "This account has a second factor; turn it off before setting up another.",
      });
    return { secret, uri: totpUri(secret, username, this.#issuer) };
  }

  /** Puts the factor that was begun in force, and gives the recovery codes, this once. @throws Refusal as `use` and lockAccountFor; Conflict when one is in force. */
  confirm(requester: Requester, code: string): Promise<string[]> {
    const { accountId } = requester;
    return this.#triedBy(requester, async (tx, factor) => {
      if (factor.isConfirmed)
        throw new Refusal("Conflict", { public: "This account's second factor is confirmed already." });
      if (!(await this.#isRightTotp(tx, accountId, factor, code))) return undefined;
      await tx.query(`update second_factor set confirmed_at = now() where account_id = $1`, [accountId]);
      await this.#notices.send(tx, accountId, "Two-factor authentication was turned on.");
      return makeRecoveryCodes(tx, accountId);
    });
  }

  /** Uses up a code of the authenticator or a recovery code. @throws Refusal WrongSecondFactor, SecondFactorNotEnabled, RateLimited. */
  async use(accountId: string, code: string): Promise<void> {
    await this.#tried(accountId, async (tx) =>
      (await this.#isRight(tx, accountId, await lockFactor(tx, accountId), code)) ? true : undefined,
    );
  }

  /** Whether signing in asks for it. */
  async isInForce(accountId: string, queryable: Queryable = this.#db): Promise<boolean> {
    const { rowCount } = await queryable.query(
      `select from second_factor where account_id = $1 and confirmed_at is not null`,
      [accountId],
    );
    return rowCount > 0;
  }

  /** Turns the second factor off, for who can give it. @throws Refusal as `use` and lockAccountFor. */
  async disable(requester: Requester, code: string): Promise<void> {
    const { accountId } = requester;
    await this.#triedBy(requester, async (tx, factor) => {
      if (!(await this.#isRight(tx, accountId, factor, code))) return undefined;
      await this.#notices.send(tx, accountId, "Two-factor authentication was turned off.");
      return tx.query(`delete from second_factor where account_id = $1`, [accountId]);
    });
  }

  /** Turns it off for who gave it as this session began, minutes ago. @throws Refusal FreshProofRequired, SecondFactorNotEnabled */
  async disableByFreshSession({ accountId, sessionId = "" }: Requester): Promise<void> {
    await this.#db.tx(async (tx) => {
      await lockAccountFor(tx, { accountId, sessionId });
      if (!(await this.isInForce(accountId, tx))) throw notEnabled();
      const { rowCount } = await tx.query(
        `select from session where id = $1 and account_id = $2 and is_second_factor_granted and created_at > now() - interval '10 minutes'`,
        [sessionId, accountId],
      );
      if (rowCount === 0)
        throw new Refusal("FreshProofRequired", {
          public: "Give a code of the second factor, or sign in with it again.",
        });
      await this.#notices.send(tx, accountId, "Two-factor authentication was turned off.");
      await tx.query(`delete from second_factor where account_id = $1`, [accountId]);
    });
  }

  /** Each attempt counts before it is looked at; a right code gives the room back. `run` gives undefined for a wrong one. */
  async #tried<T>(accountId: string, run: (tx: Transaction) => Promise<T | undefined>): Promise<T> {
    refuseUnless(await this.#attempts.consume(accountId));
    const result = await this.#db.tx(run);
    if (result === undefined)
      throw new Refusal("WrongSecondFactor", { public: "This code is not right, or was used before." });
    await this.#attempts.reset(accountId);
    return result;
  }

  /** The same for what changes the factor. */
  #triedBy<T>(requester: Requester, run: (tx: Transaction, factor: Factor) => Promise<T | undefined>): Promise<T> {
    return this.#tried(requester.accountId, async (tx) => {
      await lockAccountFor(tx, requester);
      return run(tx, await lockFactor(tx, requester.accountId));
    });
  }

  async #isRight(tx: Queryable, accountId: string, factor: Factor, code: string): Promise<boolean> {
    if (!factor.isConfirmed) throw notEnabled();
    return (await this.#isRightTotp(tx, accountId, factor, code)) || (await useRecoveryCode(tx, accountId, code));
  }

  /** The row is locked: of two that send one code, one is late. */
  async #isRightTotp(tx: Queryable, accountId: string, { sealed }: Factor, code: string): Promise<boolean> {
    const step = await timeStepOf(code.replaceAll(/\s/g, ""), this.#sealer.open(sealed, sealContext(accountId)));
    if (step === undefined) return false;
    const { rowCount } = await tx.query(
      `update second_factor set last_step = $2 where account_id = $1 and last_step < $2`,
      [accountId, step],
    );
    return rowCount > 0;
  }
}

/** @throws Refusal SecondFactorNotEnabled */
async function lockFactor(tx: Transaction, accountId: string): Promise<Factor> {
  const { rows } = await tx.query<Factor>(
    `select sealed, confirmed_at is not null as is_confirmed from second_factor where account_id = $1 for update`,
    [accountId],
  );
  const [factor] = rows;
  if (!factor) throw notEnabled();
  return factor;
}

function notEnabled(): Refusal {
  return new Refusal("SecondFactorNotEnabled", {
    public: "This account has no second factor; there is no code to give.",
  });
}
