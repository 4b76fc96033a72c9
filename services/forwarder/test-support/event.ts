import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type MailAccepted, MailAcceptedSchema } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { newId } from "../../platform/ids.ts";

/** An email that ingress took for one binding, to be forwarded to the addresses given. */
export function mailAccepted(
  addresses: readonly string[],
  differences: MessageInitShape<typeof MailAcceptedSchema> = {},
): MailAccepted {
  return create(MailAcceptedSchema, {
    emailId: newId(),
    rawId: newId(),
    receivedAt: timestampFromDate(new Date()),
    envelopeSender: "author@sender.example",
    recipient: "proxy@postern.localhost",
    proxyAddress: "proxy@postern.localhost",
    bindingId: newId(),
    ownerId: newId(),
    targets: addresses.map((address) => ({ addressId: newId(), address })),
    sizeBytes: 30,
    clientAddress: "192.0.2.1",
    clientName: "mx.sender.example",
    protocol: "ESMTP",
    ...differences,
  });
}

/** The same as it comes off the bus. */
export function incoming(message: MailAccepted): IncomingEvent<MailAccepted> {
  return { id: newId(), key: message.emailId, message, occurredAt: new Date(), trace: {} };
}
