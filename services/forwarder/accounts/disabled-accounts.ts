import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable, Transaction } from "../../platform/db/types.ts";

const switches = recordSet({ id: "uuid", disabledAt: "timestamptz", enabledAt: "timestamptz" });

/** As long as the bus keeps events, and longer: what is older cannot be overtaken any more. */
const rememberedDays = 30;

/** Whether the account of a delivery is disabled, as a condition on its row. A notice tells its owner so, and goes. */
export const isAccountDisabled = `(delivery.notice_id is null and exists (select from account_switch where account_switch.id = delivery.owner_id
  and disabled_at > coalesce(enabled_at, '-infinity')))`;

/** Holds what waits for these accounts, and what comes for them, until they are enabled. */
export function recordDisabled(
  tx: Transaction,
  accounts: readonly { accountId: string; disabledAt?: Timestamp | undefined }[],
): Promise<void> {
  return record(
    tx,
    accounts.map(({ accountId, disabledAt }) => ({ id: accountId, disabledAt: dateOf(disabledAt), enabledAt: null })),
  );
}

/** What is held for these accounts is claimed again, when it is due. */
export function recordEnabled(
  tx: Transaction,
  accounts: readonly { accountId: string; enabledAt?: Timestamp | undefined }[],
): Promise<void> {
  return record(
    tx,
    accounts.map(({ accountId, enabledAt }) => ({ id: accountId, disabledAt: null, enabledAt: dateOf(enabledAt) })),
  );
}

/** Forgets accounts that have been enabled for long. */
export async function pruneEnabled(db: Queryable): Promise<void> {
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

function dateOf(timestamp: Timestamp | undefined): Date {
  return timestamp ? timestampDate(timestamp) : new Date();
}
