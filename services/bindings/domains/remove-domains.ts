import type { Transaction } from "../../platform/db/types.ts";
import { publishChange } from "./events.ts";
import type { DomainRow } from "./rows.ts";

/** Removes the domains that an SQL condition holds for, and publishes domain.changed of each. @returns their number */
export async function removeDomains(tx: Transaction, condition: string, params: readonly unknown[]): Promise<number> {
  const { rows } = await tx.query<DomainRow>(
    `delete from domain where ${condition} returning id, owner_id, name, epoch`,
    params,
  );
  for (const row of rows) await publishChange(tx, { ...row, state: "removed", publishedSelectors: [] });
  return rows.length;
}
