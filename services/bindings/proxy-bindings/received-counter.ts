import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { Domains } from "../addresses/domains.ts";
import { countAuthors } from "../contacts/count-mail.ts";
import { createFromMail } from "../patterns/create-from-mail.ts";

const receivedCounts = recordSet({ id: "uuid", count: "integer" });

/** Makes the bindings of new addresses that patterns took, then adds the accepted emails to each binding's counter, and to those of the contacts who wrote them. Rows are locked in the order of their ids, so that two batches cannot deadlock. */
export const countReceived = (domains: Domains) =>
  consumer(topics.mailAccepted, async (tx, emails) => {
    await createFromMail(
      tx,
      domains,
      emails.map(({ message }) => message),
    );
    const counts = new Map<string, number>();
    for (const { message } of emails) counts.set(message.bindingId, (counts.get(message.bindingId) ?? 0) + 1);
    await tx.query(
      `with locked as (select id from binding where id = any ($1::uuid[]) order by id for no key update)
     update binding set received_emails = received_emails + arrived.count
       from ${receivedCounts.from("arrived", 2)} join locked using (id)
      where binding.id = arrived.id`,
      [[...counts.keys()], ...receivedCounts.params([...counts].map(([id, count]) => ({ id, count })))],
      { name: "bindings.count_received" },
    );
    await countAuthors(
      tx,
      emails.map(({ message }) => message),
    );
  });
