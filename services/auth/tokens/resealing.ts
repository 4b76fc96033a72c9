import { recordSet } from "../../platform/db/record-set.ts";
import type { Database } from "../../platform/db/types.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import type { Sealer } from "../../platform/security/sealing.ts";

/** Every column that holds what is sealed: its table and the key that is part of its place. */
const sealedColumns = [
  { table: "signing_key", key: "id", type: "text", column: "sealed" },
  { table: "api_token", key: "account_id", type: "uuid", column: "sealed" },
  { table: "webhook_secret", key: "account_id", type: "uuid", column: "sealed" },
  { table: "webhook_secret", key: "account_id", type: "uuid", column: "former_sealed" },
  { table: "second_factor", key: "account_id", type: "uuid", column: "sealed" },
] as const;

const batchSize = 1_000;

const resealedValues = recordSet({ key: "text", sealed: "bytea" });

/**
 * Seals under the current SECRET_KEY what the previous one sealed, a batch at a time, while other statements use it.
 * @returns how many were re-encrypted; 0 once SECRET_KEY_PREVIOUS is no longer needed.
 */
export async function resealBatch(db: Database, sealer: Sealer): Promise<number> {
  const { previousKeyMark } = sealer;
  if (!previousKeyMark) return 0;
  let resealed = 0;
  for (const { table, key, type, column } of sealedColumns) {
    resealed += await db.tx(async (tx) => {
      const { rows } = await tx.query<{ key: string; sealed: Buffer }>(
        unlockedRows({
          columns: `${key}::text as key, ${column} as sealed`,
          table,
          where: `substring(${column} for ${previousKeyMark.length}) = $1`,
          limit: "$2",
        }),
        [previousKeyMark, batchSize],
      );
      if (rows.length === 0) return 0;
      const values = rows.map(({ key: rowKey, sealed }) => {
        const sealContext = `${table}/${rowKey}`;
        return { key: rowKey, sealed: sealer.seal(sealer.open(sealed, sealContext), sealContext) };
      });
      await tx.query(
        `update ${table} set ${column} = resealed.sealed from ${resealedValues.from("resealed")} where ${table}.${key} = resealed.key::${type}`,
        resealedValues.params(values),
      );
      return rows.length;
    });
  }
  return resealed;
}
