import { parseAddressList } from "../../message/address/address-list.ts";
import {
  bodyOf,
  bytesAsText,
  fieldsNamed,
  type HeaderField,
  parseFields,
  unfoldedBody,
} from "../../message/header/fields.ts";
import { messageIdsIn } from "../../message/header/sealed-message-id.ts";
import { readParts, returnedHeader } from "../bounces/report-parts.ts";

/** What a feedback report says. All of it is anybody's word: only what identifies a message of ours counts for anything. */
export interface Complaint {
  /** In lower case, such as abuse (RFC 5965 section 7.3). */
  readonly feedbackType: string;
  /** Envelope senders that the message is said to have come with. */
  readonly envelopeSenders: readonly string[];
  /** The Message-ID of the message that came back with the report. */
  readonly messageId: string | undefined;
  /** Whom the message is said to have gone to, in lower case. */
  readonly recipients: readonly string[];
}

const reportType = "message/feedback-report";
const typeCharacters = 40;
const addressLimit = 50;
/** Whom a message went to, as servers note it where it arrives. */
const recipientFields = ["delivered-to", "x-original-to", "envelope-to", "to"];

/** Undefined for what is no feedback report, and for one that says that a message is no spam (RFC 6430). */
export function readComplaint(message: Buffer): Complaint | undefined {
  const part = readParts(message).find(({ type }) => type === reportType);
  if (!part) return undefined;
  const report = parseFields(part.bytes);
  const feedbackType = (bodyOf(report, "feedback-type") ?? "")
    .split("(", 1)[0]
    ?.trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, "")
    .slice(0, typeCharacters);
  if (!feedbackType || feedbackType === "not-spam") return undefined;
  const returned = returnedHeader(message);
  return {
    feedbackType,
    envelopeSenders: [...addressesIn(report, ["original-mail-from"]), ...addressesIn(returned, ["return-path"])],
    messageId: messageIdsIn(bodyOf(returned, "message-id") ?? "")[0],
    recipients: [...addressesIn(report, ["original-rcpt-to"]), ...addressesIn(returned, recipientFields)],
  };
}

function addressesIn(fields: readonly HeaderField[], names: readonly string[]): string[] {
  return names
    .flatMap((name) => fieldsNamed(fields, name))
    .slice(0, addressLimit)
    .flatMap((field) => parseAddressList(unfoldedBody(field)).mailboxes)
    .slice(0, addressLimit)
    .map(({ localPart, domain }) => bytesAsText(`${localPart}@${domain}`).toLowerCase());
}
