import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { AccountLifecycle } from "../accounts/account-lifecycle.ts";
import { type Account, type AccountRow, accountColumns, accountOf } from "../accounts/account-row.ts";
import { checkUsername, usernameKey } from "../accounts/usernames.ts";
import type { Actor, OperatorAudit } from "./audit.ts";

/** An account as operators see it. */
export interface OperatedAccount extends Account {
  /** When the newest of its sessions that still run was opened. */
  lastSignInAt: Date | null;
}

interface Page {
  /** Part of a username, in any case. */
  search: string;
  limit: number;
  /** The id of the last one seen. */
  after: string | undefined;
}

type OperatedRow = AccountRow & { lastSignInAt: Date | null };

/** What the operator's area shows of accounts, and does to them. */
export class Operators {
  readonly #db: Database;
  readonly #lifecycle: AccountLifecycle;
  readonly #audit: OperatorAudit;

  constructor(db: Database, lifecycle: AccountLifecycle, audit: OperatorAudit) {
    this.#db = db;
    this.#lifecycle = lifecycle;
    this.#audit = audit;
  }

  /** Gives an account the right, or takes it away, at once for all of its sessions. @throws Refusal NotFound */
  async setOperator(actor: Actor, username: string, isOperator: boolean): Promise<Account> {
    checkUsername(username);
    return this.#db.tx(async (tx) => {
      const { rows } = await tx.query<AccountRow>(
        `update account set is_operator = $2 where username_key = $1 returning ${accountColumns}`,
        [usernameKey(username), isOperator],
      );
      const account = accountOf(rows[0]);
      await this.#audit.record(tx, actor, isOperator ? "operator.added" : "operator.removed", account);
      return account;
    });
  }

  /** In the order they were made. */
  async accounts({ search, limit, after }: Page): Promise<OperatedAccount[]> {
    const { rows } = await this.#db.query<OperatedRow>(
      `select ${accountColumns}, (select max(created_at) from session where account_id = account.id and expires_at > now()) as last_sign_in_at
         from account where ($1 = '' or position(lower($1) in lower(username)) > 0) and ($3::uuid is null or id > $3)
        order by id limit $2`,
      [search, limit, after ?? null],
    );
    return rows.map((row) => ({ ...accountOf(row), lastSignInAt: row.lastSignInAt }));
  }

  /** @throws Refusal as lockAccountFor of the operator; NotFound; Conflict for the operator's own account, which nobody could enable again from here */
  async setDisabled(actor: Exclude<Actor, "command">, id: string, isDisabled: boolean): Promise<OperatedAccount> {
    if (id === actor.accountId)
      throw new Refusal("Conflict", { public: "This is your own account: another operator can disable it." });
    const { rows } = await this.#db.query<{ username: string }>(`select username from account where id = $1`, [
      isId(id) ? id : null,
    ]);
    const username = rows[0]?.username;
    if (username === undefined) throw new Refusal("NotFound", { public: "There is no such account." });
    const account = isDisabled
      ? await this.#lifecycle.disable(username, actor)
      : await this.#lifecycle.enable(username, actor);
    return { ...account, lastSignInAt: null };
  }
}
