import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import { event, type OutgoingEvent } from "../../platform/events/outbox.ts";
import { newId } from "../../platform/ids.ts";

/** What a mail to an account's own address needs to say. */
export interface NoticeDetails {
  accountId: string;
  recipient: string;
  link: string;
  lifetimeH: number;
  serviceName: string;
}

/** The mail that proves that a username is its owner's address. */
export function confirmationNotice(details: NoticeDetails): OutgoingEvent {
  const { recipient, link, lifetimeH, serviceName } = details;
  return noticeOf(details, {
    kind: "username-verification",
    subject: `Confirm your address for ${serviceName}`,
    text: `Somebody signed up for ${serviceName} with this address, ${recipient}.

If that was you, open this link within ${lifetimeH} hours and confirm:

    ${link}

If it was not, there is nothing to do: without your confirmation no mail is forwarded to you.
`,
  });
}

/** The mail that lets somebody who forgot a password choose another. */
export function resetNotice(details: NoticeDetails): OutgoingEvent {
  const { recipient, link, lifetimeH, serviceName } = details;
  return noticeOf(details, {
    kind: "password-reset",
    subject: `Choose a new password for ${serviceName}`,
    text: `Somebody asked for a new password for the account ${recipient} at ${serviceName}.

If that was you, open this link within ${lifetimeH === 1 ? "an hour" : `${lifetimeH} hours`} and choose one:

    ${link}

If it was not, there is nothing to do: your password stays as it is.
`,
  });
}

function noticeOf(
  { accountId, recipient }: NoticeDetails,
  content: { kind: string; subject: string; text: string },
): OutgoingEvent {
  const requestedAt = timestampFromDate(new Date());
  return event(
    topics.noticeRequested,
    create(NoticeRequestedSchema, { noticeId: newId(), recipient, accountId, requestedAt, ...content }),
  );
}
