import type { Database, Transaction } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import type { Requester } from "../accounts/account-lock.ts";
import type { Account } from "../accounts/account-row.ts";

const keptDays = 365;
const sweepBatchSize = 5_000;

/** Who acts: a session of an account with the right, or somebody at the operator's command. */
export type Actor = (Requester & { username: string }) | "command";

type OperatorActionKind =
  | "account.disabled"
  | "account.enabled"
  | "account.second-factor-reset"
  | "operator.added"
  | "operator.removed";

/** One thing that an operator did to an account. */
export interface OperatorAction {
  id: string;
  actedAt: Date;
  /** A username, or "command line". */
  operator: string;
  action: OperatorActionKind;
  /** The username; "" once the account is gone. */
  account: string;
}

/** What operators did to accounts, kept for a year. */
export class OperatorAudit {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async record(tx: Transaction, actor: Actor, action: OperatorActionKind, account: Account): Promise<void> {
    const { accountId, username } = actor === "command" ? { accountId: null, username: "command line" } : actor;
    await tx.query(
      `insert into operator_action (id, operator_id, operator, action, account_id, account) values ($1, $2, $3, $4, $5, $6)`,
      [newId(), accountId, username, action, account.id, account.username],
    );
  }

  /** The latest first. @param after the id of the last one seen */
  async list({ limit, after }: { limit: number; after: string | undefined }): Promise<OperatorAction[]> {
    const { rows } = await this.#db.query<OperatorAction>(
      `select id, acted_at, operator, action, account from operator_action
        where $2::uuid is null or id < $2 order by id desc limit $1`,
      [limit, after ?? null],
    );
    return rows;
  }

  /** Nothing that names a closed account stays. */
  async forget(tx: Transaction, accountId: string): Promise<void> {
    await tx.query(`update operator_action set account = '' where account_id = $1`, [accountId]);
    await tx.query(`update operator_action set operator = '' where operator_id = $1`, [accountId]);
  }

  /** @returns true when more may be left */
  async sweep(): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `delete from operator_action where id in
         (select id from operator_action where acted_at < now() - make_interval(days => $1) limit $2)`,
      [keptDays, sweepBatchSize],
    );
    return rowCount === sweepBatchSize;
  }
}
