import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import { event, type OutgoingEvent } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import { type EmailAddress, envelopeAddress } from "../addresses/email-address.ts";

interface VerificationNotice {
  /** Whose binding it is for. */
  ownerId: string;
  recipient: EmailAddress;
  proxyAddress: string;
  link: string;
  lifetimeHours: number;
  serviceName: string;
}

/** The mail with a verification link. Of what it says, anybody may have chosen the proxy address alone. */
export function verificationNotice({
  ownerId,
  recipient,
  proxyAddress,
  link,
  lifetimeHours,
  serviceName,
}: VerificationNotice): OutgoingEvent {
  const text = `Somebody who uses ${serviceName} would like mail for

    ${proxyAddress}

to be forwarded to this address, ${recipient.spelling}.

If that was you, open this link within ${lifetimeHours} hours and confirm:

    ${link}

If it was not, there is nothing to do: without your confirmation nothing is forwarded to you.
`;
  return event(
    topics.noticeRequested,
    create(NoticeRequestedSchema, {
      noticeId: newId(),
      accountId: ownerId,
      recipient: envelopeAddress(recipient),
      subject: "Confirm that mail may be forwarded to you",
      text,
      requestedAt: timestampFromDate(new Date()),
      kind: "address-verification",
    }),
  );
}
