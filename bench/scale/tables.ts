import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { deliveryTable } from "../../services/forwarder/deliveries/delivery.ts";
import { openDatabase } from "../../services/platform/db/database.ts";
import { JobClaims } from "../../services/platform/jobs/job-claims.ts";
import { asSuperuser, silentLogger } from "../../test/support/peers/database.ts";

/** As autovacuum does some time after rows have come. */
export async function analyze(url: string): Promise<void> {
  await asSuperuser(url, "analyze");
}

/** Has the service index the addresses that addBindings has added, and waits for it; at most half an hour. */
export async function indexBindings(url: string): Promise<void> {
  await asSuperuser(url, "update bindings.binding_count set is_noted = true where total >= 5000");
  await asSuperuser(url, "update bindings.search_owner set is_indexed = false, indexed_to = default");
  const isOpen = `select exists (
    select from bindings.binding_count left join bindings.search_owner using (owner_id)
     where is_noted and is_indexed is not true) as "isOpen"`;
  for (let waitedS = 0; (await asSuperuser<{ isOpen: boolean }>(url, isOpen))[0]?.isOpen; waitedS += 1) {
    if (waitedS > 1800) throw new Error("The index of addresses was not made within half an hour");
    await setTimeout(1000);
  }
}

/** As autovacuum does after a flood, of one table and what is known of it. @returns how long it took, in seconds */
export async function vacuum(url: string, table: string): Promise<number> {
  const startedAt = performance.now();
  const patient = openDatabase({
    url,
    schema: "public",
    logger: silentLogger,
    poolSize: 1,
    statementTimeoutMs: 600_000,
  });
  try {
    await patient.query(`vacuum (analyze) ${table}`);
  } finally {
    await patient.close();
  }
  return (performance.now() - startedAt) / 1000;
}

/** Bytes of a table, and of its indexes. */
export async function sizesOf(url: string, table: string): Promise<{ tableMib: number; indexMib: number }> {
  const [found] = await asSuperuser<{ table: string; indexes: string }>(
    url,
    `select pg_table_size($1::regclass)::text as "table", pg_indexes_size($1::regclass)::text as indexes`,
    [table],
  );
  const bytesPerMebibyte = 1024 * 1024;
  return { tableMib: Number(found?.table) / bytesPerMebibyte, indexMib: Number(found?.indexes) / bytesPerMebibyte };
}

class RolledBack extends Error {}

/**
 * What a worker waits for when it claims a hundred of a thousand deliveries that are due, beside those that are not. All of it is
 * rolled back, so that no other worker sees any of them due.
 * @returns the median, in milliseconds
 */
export async function claimMs(url: string, claims: number): Promise<number> {
  const db = openDatabase({ url, schema: "forwarder", logger: silentLogger, poolSize: 1 });
  const table = deliveryTable({ all: 1000, perDomain: 1000, perOwner: 1000 }, 60);
  const took: number[] = [];
  try {
    for (let claim = 0; claim < claims; claim += 1)
      await db
        .tx(async (tx) => {
          await tx.query("update delivery set due_at = now() where id in (select id from delivery limit 1000)");
          const startedAt = performance.now();
          await new JobClaims(tx, table, randomUUID()).claim(100, { keys: [], atLimit: [[], []] });
          took.push(performance.now() - startedAt);
          throw new RolledBack();
        })
        .catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
        });
  } finally {
    await db.close();
  }
  return took.sort((one, other) => one - other)[Math.floor(claims / 2)] ?? 0;
}
