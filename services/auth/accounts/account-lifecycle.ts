import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AccountClosedSchema } from "../../../proto/gen/postern/auth/v1/account_closed_pb.js";
import { AccountDisabledSchema } from "../../../proto/gen/postern/auth/v1/account_disabled_pb.js";
import { AccountEnabledSchema } from "../../../proto/gen/postern/auth/v1/account_enabled_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import type { Actor, OperatorAudit } from "../operators/audit.ts";
import type { ApiTokens } from "../tokens/api-tokens.ts";
import { lockAccountFor, type Requester } from "./account-lock.ts";
import { type Account, type AccountRow, accountColumns, accountOf } from "./account-row.ts";
import { checkUsername, usernameKey } from "./usernames.ts";

const announcementBatchSize = 1_000;

/** The time is read after the row was locked, so that of two changes the later one has the later time. */
const changedColumns = `${accountColumns}, clock_timestamp() as changed_at`;

type ChangedRow = AccountRow & { changedAt: Date };

/** What programs authenticate with. */
interface Tokens {
  apiKeys: ApiKeys;
  apiTokens: ApiTokens;
}

/** Disables, enables and closes accounts, and tells the other services, which stop and resume what they do for them. */
export class AccountLifecycle {
  readonly #db: Database;
  readonly #tokens: Tokens;
  readonly #audit: OperatorAudit;

  constructor(db: Database, tokens: Tokens, audit: OperatorAudit) {
    this.#db = db;
    this.#tokens = tokens;
    this.#audit = audit;
  }

  /**
   * Nothing of this account authenticates any more; its sessions, its API token and its API keys are deleted (account.disabled).
   * Doing it again publishes the event again. @throws Refusal NotFound; as lockAccountFor of an operator.
   */
  async disable(username: string, actor: Actor): Promise<Account> {
    checkUsername(username);
    return this.#db.tx(async (tx) => {
      await lockActor(tx, actor, username);
      const { rows } = await tx.query<ChangedRow>(
        `update account set disabled_at = coalesce(disabled_at, now()), is_disabling_announced = true
          where username_key = $1 returning ${changedColumns}`,
        [usernameKey(username)],
      );
      const account = accountOf(rows[0]);
      await tx.query(`delete from session where account_id = $1`, [account.id]);
      await this.#tokens.apiTokens.revoke(tx, account.id);
      await this.#tokens.apiKeys.revokeAll(tx, account.id);
      await this.#audit.record(tx, actor, "account.disabled", account);
      await publish(tx, rows.map(disabledEvent));
      return account;
    });
  }

  /** Its owner can sign in again, with the password and factors it had (account.enabled). @throws as `disable` */
  async enable(username: string, actor: Actor): Promise<Account> {
    checkUsername(username);
    return this.#db.tx(async (tx) => {
      await lockActor(tx, actor, username);
      const { rows } = await tx.query<ChangedRow>(
        `update account set disabled_at = null, is_disabling_announced = false where username_key = $1 returning ${changedColumns}`,
        [usernameKey(username)],
      );
      const account = accountOf(rows[0]);
      await this.#audit.record(tx, actor, "account.enabled", account);
      await publish(tx, rows.map(enabledEvent));
      return account;
    });
  }

  /**
   * Publishes account.disabled for accounts that were disabled by a release that did not.
   * @returns true when more may be left
   */
  async announceDisabled(): Promise<boolean> {
    return this.#db.tx(async (tx) => {
      const { rows } = await tx.query<Pick<ChangedRow, "id" | "changedAt">>(
        `update account set is_disabling_announced = true
          where id in (select id from account where disabled_at is not null and not is_disabling_announced limit $1)
            and not is_disabling_announced
          returning id, clock_timestamp() as changed_at`,
        [announcementBatchSize],
      );
      await publish(tx, rows.map(disabledEvent));
      return rows.length === announcementBatchSize;
    });
  }

  /**
   * Removes an account and all that auth keeps of it, and has the other services remove what they keep (account.closed).
   * @throws Refusal as lockAccountFor
   */
  async close(requester: Requester): Promise<void> {
    const { accountId } = requester;
    await this.#db.tx(async (tx) => {
      await lockAccountFor(tx, requester);
      // Sessions, tokens, factors, secrets and links go with it.
      await tx.query(`delete from account where id = $1`, [accountId]);
      await this.#audit.forget(tx, accountId);
      const closedAt = timestampFromDate(new Date());
      await publish(tx, event(topics.accountClosed, create(AccountClosedSchema, { accountId, closedAt })));
    });
    this.#tokens.apiTokens.forget(accountId);
    this.#tokens.apiKeys.forget(accountId);
  }
}

/** Both accounts in one order: of two operators who act on each other, the second waits, and finds what became of its session. */
async function lockActor(tx: Transaction, actor: Actor, username: string): Promise<void> {
  if (actor === "command") return;
  await tx.query("select from account where id = $1 or username_key = $2 order by id for update", [
    actor.accountId,
    usernameKey(username),
  ]);
  await lockAccountFor(tx, actor);
}

function disabledEvent({ id: accountId, changedAt }: Pick<ChangedRow, "id" | "changedAt">): OutgoingEvent {
  const disabledAt = timestampFromDate(changedAt);
  return event(topics.accountDisabled, create(AccountDisabledSchema, { accountId, disabledAt }));
}

function enabledEvent({ id: accountId, changedAt }: Pick<ChangedRow, "id" | "changedAt">): OutgoingEvent {
  const enabledAt = timestampFromDate(changedAt);
  return event(topics.accountEnabled, create(AccountEnabledSchema, { accountId, enabledAt }));
}
