import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";

interface RuleHits {
  readonly ownerId: string;
  readonly ruleId: string;
  readonly count: number;
  readonly lastAt: Date;
}

const countedHits = recordSet({ ownerId: "uuid", id: "uuid", count: "integer", lastAt: "timestamptz" });

/** Counts what rules decided about; a rule that is gone counts no more. Rows are locked in order, so that two batches cannot deadlock. */
export async function countHits(db: Queryable, hits: readonly RuleHits[]): Promise<void> {
  if (hits.length === 0) return;
  const counted = new Map<string, { ownerId: string; id: string; count: number; lastAt: Date }>();
  for (const { ownerId, ruleId, count, lastAt } of hits) {
    const known = counted.get(`${ownerId} ${ruleId}`);
    const last = known && known.lastAt > lastAt ? known.lastAt : lastAt;
    counted.set(`${ownerId} ${ruleId}`, { ownerId, id: ruleId, count: (known?.count ?? 0) + count, lastAt: last });
  }
  await db.query(
    `with hit as materialized (select * from ${countedHits.from("given")}),
          locked as (select rule.owner_id, rule.id from rule join hit using (owner_id, id) order by rule.owner_id, rule.id for no key update of rule)
     update rule set hits = hits + hit.count, last_hit_at = greatest(last_hit_at, hit.last_at)
       from hit join locked using (owner_id, id) where rule.owner_id = hit.owner_id and rule.id = hit.id`,
    countedHits.params([...counted.values()]),
    { name: "bindings.count_rule_hits" },
  );
}
