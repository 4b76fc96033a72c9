import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { countAuthors } from "../contacts/count-mail.ts";
import { createFromMail } from "../patterns/create-from-mail.ts";
import { countHits } from "../rules/hits.ts";

const receivedCounts = recordSet({ id: "uuid", count: "integer", lastAt: "timestamptz" });

/** Makes the bindings of new addresses that patterns took, then adds the accepted emails to each binding's counter, and to those of the contacts who wrote them. Rows are locked in the order of their ids, so that two batches cannot deadlock. */
export const countReceived = (domains: ServedDomains, contactQuota: number) =>
  consumer({
    topic: topics.mailAccepted,
    pace: "patient",
    handle: async (tx, emails) => {
      const messages = emails.map(({ message }) => message);
      await createFromMail(tx, domains, messages);
      const counts = countsOf(messages);
      await tx.query(
        `with locked as (select id from binding where id = any ($1::uuid[]) order by id for no key update)
     update binding set received_emails = received_emails + arrived.count,
            last_received_at = greatest(last_received_at, arrived.last_at)
       from ${receivedCounts.from("arrived", 2)} join locked using (id)
      where binding.id = arrived.id`,
        [[...counts.keys()], ...receivedCounts.params([...counts.values()])],
        { name: "bindings.count_received" },
      );
      await countHits(
        tx,
        messages.flatMap(({ rule, ownerId, receivedAt }) =>
          rule
            ? [{ ownerId, ruleId: rule.ruleId, count: 1, lastAt: receivedAt ? timestampDate(receivedAt) : new Date() }]
            : [],
        ),
      );
      await countAuthors(tx, messages, contactQuota);
    },
  });

/** How many came to each binding, and when the last of them. */
function countsOf(mails: readonly Pick<MailAccepted, "bindingId" | "receivedAt">[]) {
  const counts = new Map<string, { id: string; count: number; lastAt: Date }>();
  for (const { bindingId: id, receivedAt } of mails) {
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
