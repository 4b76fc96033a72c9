import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type AnswerAccepted, Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import type { AnswerContact, AnswerContent } from "./answer.ts";

const newAnswers = recordSet({
  emailId: "uuid",
  ownerId: "uuid",
  content: "jsonb",
  trace: "jsonb",
  receivedAt: "timestamptz",
});

/** Records answers, to be composed soon. */
export async function recordAnswers(tx: Transaction, events: readonly IncomingEvent<AnswerAccepted>[]): Promise<void> {
  await tx.query(
    `insert into answer (${newAnswers.columns}) select * from ${newAnswers.from("accepted")} on conflict do nothing`,
    newAnswers.params(
      events.map(({ message, trace }) => ({
        emailId: message.emailId,
        ownerId: message.ownerId,
        content: contentOf(message),
        trace,
        receivedAt: message.receivedAt ? timestampDate(message.receivedAt) : new Date(),
      })),
    ),
    { name: "record_answers" },
  );
}

function contentOf(message: AnswerAccepted): AnswerContent {
  const { emailId, rawId, sizeBytes, ownerId, bindingId, proxyAddress, displayName, author } = message;
  const { realAddresses, sendsEncrypted, hopCount } = message;
  return {
    ...{ emailId, rawId, sizeBytes, ownerId, bindingId, proxyAddress, displayName, author },
    ...{ realAddresses, sendsEncrypted, hopCount },
    direction: message.direction === Direction.SEND ? "send" : "answer",
    recipients: message.recipients.map(contactOf),
    named: message.named.map(contactOf),
  };
}

function contactOf({ contactId, address, reverseAddress }: AnswerContact): AnswerContact {
  return { contactId, address, reverseAddress };
}

const pruneLimit = 10_000;

/** Removes answers whose deliveries are no longer kept. */
export async function pruneAnswers(tx: Transaction, keptDays: number): Promise<void> {
  await tx.query(
    `delete from answer where email_id = any (array(
       select email_id from answer where state in ('sent', 'expired') and received_at < now() - make_interval(days => $1)
          and not exists (select from delivery where delivery.email_id = answer.email_id) limit $2))`,
    [keptDays, pruneLimit],
  );
}
