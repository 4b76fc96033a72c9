import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import { event, type OutgoingEvent } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Language } from "../../platform/rpc/language.ts";
import { type EmailAddress, envelopeAddress } from "../addresses/email-address.ts";
import { noticeTexts } from "./notice-texts.ts";

interface VerificationNotice {
  /** Whose binding it is for. */
  ownerId: string;
  recipient: EmailAddress;
  proxyAddress: string;
  link: string;
  lifetimeHours: number;
  serviceName: string;
  language: Language;
}

/** The mail with a verification link. Of what it says, anybody may have chosen the proxy address alone. */
export function verificationNotice({ ownerId, recipient, language, ...said }: VerificationNotice): OutgoingEvent {
  const { subject, text } = noticeTexts[language];
  return event(
    topics.noticeRequested,
    create(NoticeRequestedSchema, {
      noticeId: newId(),
      accountId: ownerId,
      recipient: envelopeAddress(recipient),
      subject,
      text: text({ ...said, recipient: recipient.spelling }),
      requestedAt: timestampFromDate(new Date()),
      kind: "address-verification",
    }),
  );
}
