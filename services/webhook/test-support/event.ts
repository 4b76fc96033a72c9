import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type MailStored, MailStoredSchema } from "../../../proto/gen/postern/mailbox/v1/mail_stored_pb.js";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { newId } from "../../platform/ids.ts";

/** What a test says of an email; the rest is made up. */
export type StoredEmail = Partial<Pick<MailStored, "emailId" | "ownerId" | "bindingId" | "callbackUrl" | "receivedAt">>;

export function mailStored(email: StoredEmail): IncomingEvent<MailStored> {
  const message = create(MailStoredSchema, {
    emailId: newId(),
    ownerId: newId(),
    bindingId: newId(),
    callbackUrl: "https://target.example/hook",
    proxyAddress: "proxy@postern.localhost",
    receivedAt: timestampFromDate(new Date()),
    ...email,
  });
  return { id: newId(), key: message.emailId, message, occurredAt: new Date(), trace: {} };
}
