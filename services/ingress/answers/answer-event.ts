import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { event, type OutgoingEvent } from "../../platform/events/outbox/outbox.ts";
import type { ReceivedMessage } from "../receiving/acceptance-event.ts";
import type { AdmittedAnswer } from "./answer-policy.ts";

/** The event that is published for an answer with the commit of its message. */
export function answerEvent(message: ReceivedMessage, emailId: string, answer: AdmittedAnswer): OutgoingEvent {
  const { rawId, sizeBytes, envelopeSender, client, verdict, receivedAt } = message;
  const { outcome: _, digest: _digest, recipient, ...admitted } = answer;
  return event(
    topics.answerAccepted,
    create(topics.answerAccepted.schema, {
      ...admitted,
      emailId,
      rawId,
      sizeBytes,
      envelopeSender,
      recipients: [recipient],
      direction: Direction.ANSWER,
      receivedAt: timestampFromDate(receivedAt),
      clientAddress: client.address,
      clientName: client.name,
      authenticationResults: verdict.results,
    }),
  );
}
