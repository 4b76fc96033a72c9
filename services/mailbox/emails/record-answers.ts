import { create } from "@bufbuild/protobuf";
import { type AnswerAccepted, Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { type MailAccepted, MailAcceptedSchema } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { consumer } from "../../platform/events/consumer.ts";
import { recordEmails } from "./record-emails.ts";

/**
 * Inserts what owners write, with one outcome for each contact, and a parse job where the binding is browsable.
 * @param wake called once there may be parse jobs
 */
export function recordAnswers(wake: () => void) {
  return consumer(topics.answerAccepted, async (tx, events) => {
    const emails = events.map((event) => {
      return { ...event, message: asAccepted(event.message), direction: directionOf(event.message) };
    });
    await recordEmails(tx, emails, wake);
  });
}

function directionOf({ direction }: AnswerAccepted): "ANSWER" | "SEND" {
  return direction === Direction.SEND ? "SEND" : "ANSWER";
}

/** From the owner to contacts; what it is called back for is what others write. */
function asAccepted(answer: AnswerAccepted): MailAccepted {
  const { emailId, rawId, bindingId, ownerId, proxyAddress, author, recipients, isBrowsable, sizeBytes } = answer;
  const { clientAddress, clientName, authenticationResults, receivedAt } = answer;
  return create(MailAcceptedSchema, {
    emailId,
    rawId,
    bindingId,
    ownerId,
    proxyAddress,
    isBrowsable,
    sizeBytes,
    clientAddress,
    clientName,
    authenticationResults,
    ...(receivedAt ? { receivedAt } : {}),
    envelopeSender: author,
    recipient: recipients[0]?.address ?? proxyAddress,
    targets: recipients.map(({ contactId: addressId, address }) => ({ addressId, address })),
  });
}
