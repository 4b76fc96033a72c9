import { timestampDate } from "@bufbuild/protobuf/wkt";
import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import { readRecipient, withLowerCaseDomain } from "../addresses/email-address.ts";
import { contactName } from "./contact-name.ts";
import { insertContacts, type NewContact } from "./insert-contacts.ts";
import { makeRoom } from "./make-room.ts";

const sentCounts = recordSet({ id: "uuid", count: "integer" });

interface AuthoredMail {
  readonly bindingId: string;
  readonly answers: boolean;
  readonly author: string;
  readonly authorName: string;
  readonly receivedAt?: Parameters<typeof timestampDate>[0] | undefined;
}

/** Makes or counts the contacts who wrote to bindings that answer. @param quota of those that mail makes of an account */
export async function countAuthors(tx: Transaction, emails: readonly AuthoredMail[], quota: number): Promise<void> {
  const contacts = new Map<string, NewContact>();
  for (const { bindingId, author, authorName, answers, receivedAt } of emails) {
    const { emailAddress } = answers && author !== "" ? readRecipient(author) : {};
    if (!emailAddress) continue;
    const key = `${bindingId} ${emailAddress.key}`;
    contacts.set(key, {
      bindingId,
      emailAddress: withLowerCaseDomain(emailAddress),
      name: contactName(authorName),
      received: (contacts.get(key)?.received ?? 0) + 1,
      seenAt: receivedAt ? timestampDate(receivedAt) : new Date(),
    });
  }
  await makeRoom(tx, await insertContacts(tx, [...contacts.values()], "mail"), quota);
}

/** Counts what was sent to each contact. */
export const countSentToContacts = consumer(topics.answerAccepted, async (tx, events) => {
  const counts = new Map<string, number>();
  for (const { contactId } of events.flatMap(({ message }) => message.recipients))
    counts.set(contactId, (counts.get(contactId) ?? 0) + 1);
  await tx.query(
    `with locked as (select id from contact where id = any ($1::uuid[]) order by id for no key update)
     update contact set sent = sent + answered.count, last_seen_at = now()
       from ${sentCounts.from("answered", 2)} join locked using (id) where contact.id = answered.id`,
    [[...counts.keys()], ...sentCounts.params([...counts].map(([id, count]) => ({ id, count })))],
  );
});
