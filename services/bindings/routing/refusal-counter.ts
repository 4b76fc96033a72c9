import type { z } from "zod";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database } from "../../platform/db/types.ts";
import { PendingCounts } from "../../platform/runtime/pending-counts.ts";
import type { RefusalReason } from "../contract.ts";

/** Of a binding, by its id. */
interface Refused {
  readonly id: string;
  readonly lastReason: z.output<typeof RefusalReason>;
}

export type RefusalCounter = PendingCounts<Refused>;

const countedRefusals = recordSet({ id: "uuid", count: "integer", lastAt: "timestamptz", lastReason: "text" });

/** Counts refused mail for its owner. Rows are locked in the order of their ids, as the received counter does, so that the two cannot deadlock. */
export function refusalCounter(db: Database): RefusalCounter {
  return new PendingCounts({
    name: "refusal-counts",
    write: (refusals) =>
      db.query(
        `with refused as materialized (select * from ${countedRefusals.from("given")}),
              locked as (select id from binding where id in (select id from refused) order by id for no key update)
         update binding set refused_emails = refused_emails + refused.count,
                last_refused_at = greatest(last_refused_at, refused.last_at), last_refusal = refused.last_reason
           from refused join locked using (id)
          where binding.id = refused.id`,
        countedRefusals.params(refusals),
        { name: "bindings.count_refused" },
      ),
  });
}
