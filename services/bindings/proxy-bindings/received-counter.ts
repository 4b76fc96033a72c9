import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";

const receivedCounts = recordSet({ id: "uuid", count: "integer", lastAt: "timestamptz" });

type Accepted = Pick<MailAccepted, "bindingId" | "receivedAt">;

/** Adds accepted emails to each binding's counter. Rows are locked in the order of their ids, so that two batches cannot deadlock. */
export async function countReceived(tx: Transaction, emails: readonly Accepted[]): Promise<void> {
  const counts = countsOf(emails);
  await tx.query(
    `with locked as (select id from binding where id = any ($1::uuid[]) order by id for no key update)
     update binding set received_emails = received_emails + arrived.count,
            last_received_at = greatest(last_received_at, arrived.last_at)
       from ${receivedCounts.from("arrived", 2)} join locked using (id)
      where binding.id = arrived.id`,
    [[...counts.keys()], ...receivedCounts.params([...counts.values()])],
    { name: "bindings.count_received" },
  );
}

/** How many came to each binding, and when the last of them. */
function countsOf(emails: readonly Accepted[]) {
  const counts = new Map<string, { id: string; count: number; lastAt: Date }>();
  for (const { bindingId: id, receivedAt } of emails) {
    const at = receivedAt ? timestampDate(receivedAt) : new Date();
    const former = counts.get(id);
    counts.set(id, {
      id,
      count: (former?.count ?? 0) + 1,
      lastAt: former && former.lastAt > at ? former.lastAt : at,
    });
  }
  return counts;
}
