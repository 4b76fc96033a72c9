import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../db/record-set.ts";
import type { Queryable, Transaction } from "../db/types.ts";
import { consumer } from "../events/consumer.ts";
import type { Consumer } from "../events/types.ts";

const switches = recordSet({ id: "uuid", disabledAt: "timestamptz", enabledAt: "timestamptz" });

/** As long as the bus keeps events, and longer: what is older cannot be overtaken any more. */
const rememberedDays = 30;

/**
 * Whether an operator disabled an account, as an SQL condition. Needs the service's own table
 * `account_switch (id, disabled_at, enabled_at)` and `accountSwitchConsumers`.
 * @param accountId an SQL expression
 */
export function isAccountDisabled(accountId: string): string {
  return `exists (select from account_switch where account_switch.id = ${accountId}
    and disabled_at > coalesce(enabled_at, '-infinity'))`;
}

/**
 * Consumers of account.disabled and account.enabled that keep the table `account_switch`. Of two events about an account the one
 * with the later time holds, in any order of arrival.
 * @param onEnabled in the transaction that records it
 */
export function accountSwitchConsumers(
  onEnabled: (tx: Transaction, accountIds: readonly string[]) => Promise<void> = async () => undefined,
): Consumer[] {
  return [
    consumer(topics.accountDisabled, (tx, events) =>
      record(
        tx,
        events.map(({ message: { accountId: id, disabledAt }, occurredAt }) => {
          return { id, disabledAt: dateOf(disabledAt, occurredAt), enabledAt: null };
        }),
      ),
    ),
    consumer(topics.accountEnabled, async (tx, events) => {
      const rows = events.map(({ message: { accountId: id, enabledAt }, occurredAt }) => {
        return { id, disabledAt: null, enabledAt: dateOf(enabledAt, occurredAt) };
      });
      await record(tx, rows);
      await onEnabled(
        tx,
        rows.map(({ id }) => id),
      );
    }),
  ];
}

/** Forgets accounts that have been enabled for long. */
export async function pruneEnabledAccounts(db: Queryable): Promise<void> {
  await db.query(
    `delete from account_switch where enabled_at < now() - make_interval(days => $1) and coalesce(disabled_at, '-infinity') <= enabled_at`,
    [rememberedDays],
  );
}

async function record(
  tx: Transaction,
  rows: readonly { id: string; disabledAt: Date | null; enabledAt: Date | null }[],
): Promise<void> {
  await tx.query(
    `insert into account_switch as account (id, disabled_at, enabled_at)
     select id, max(disabled_at), max(enabled_at) from ${switches.from("switch")} group by id order by id
     on conflict (id) do update set
       disabled_at = greatest(account.disabled_at, excluded.disabled_at),
       enabled_at = greatest(account.enabled_at, excluded.enabled_at)`,
    switches.params(rows),
  );
}

function dateOf(timestamp: Timestamp | undefined, occurredAt: Date): Date {
  return timestamp ? timestampDate(timestamp) : occurredAt;
}
