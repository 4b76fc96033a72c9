import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type AnswerAccepted, Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { prune, pruneLimit } from "../../platform/jobs/prune.ts";
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
    emailId,
    rawId,
    sizeBytes,
    ownerId,
    bindingId,
    proxyAddress,
    displayName,
    author,
    realAddresses,
    sendsEncrypted,
    hopCount,
    direction: message.direction === Direction.SEND ? "send" : "answer",
    recipients: message.recipients.map(contactOf),
    named: message.named.map(contactOf),
  };
}

function contactOf({ contactId, address, reverseAddress }: AnswerContact): AnswerContact {
  return { contactId, address, reverseAddress };
}

/** Removes a bounded number of answers whose deliveries are no longer kept. @returns whether there may be more */
export async function pruneAnswers(db: Database, keptDays: number): Promise<boolean> {
  const where = `state in ('sent', 'expired') and received_at < now() - make_interval(days => $1)
    and not exists (select from delivery where delivery.email_id = answer.email_id)`;
  const pruning = { table: "answer", key: "email_id", where, orderBy: "received_at", limit: pruneLimit };
  return (await prune(db, pruning, [keptDays])).mayBeMore;
}
