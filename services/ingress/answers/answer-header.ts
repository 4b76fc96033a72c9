import { parseAddressList } from "../../message/address/address-list.ts";
import { isAutomatic } from "../../message/header/auto-submitted.ts";
import { bodyOf, bytesAsText, fieldsNamed, type HeaderField, unfoldedBody } from "../../message/header/fields.ts";
import { threadIdsIn } from "../../message/header/sealed-message-id.ts";

/** What a header says of an answer. */
export interface AnswerHeader {
  /** Whom To and Cc name. */
  readonly addressed: readonly string[];
  readonly date: Date;
  /** Of References and In-Reply-To: see threadIdsIn. */
  readonly threadIds: readonly string[];
  /** A responder wrote it (RFC 3834 section 5). */
  readonly isAutomatic: boolean;
  /** Of the fields that a signature must cover: those that are there. */
  readonly signedNames: readonly string[];
  /** The same answer again has the same. */
  readonly canonical: string;
}

const neededNames = ["from", "date", "message-id"];
const possibleNames = ["to", "cc"];
const addressLimit = 500;

/** Undefined where RFC 5322 section 3.6 is not kept: readers, and signatures, would see different messages in it. */
export function readAnswerHeader(fields: readonly HeaderField[]): AnswerHeader | undefined {
  const count = (name: string) => fieldsNamed(fields, name).length;
  const isWhole = neededNames.every((name) => count(name) === 1);
  const isSingle = [...possibleNames, "subject", "in-reply-to", "references"].every((name) => count(name) <= 1);
  const date = new Date(bodyOf(fields, "date") ?? "");
  const lists = possibleNames
    .flatMap((name) => fieldsNamed(fields, name))
    .map((field) => parseAddressList(unfoldedBody(field)));
  const mailboxes = lists.flatMap((list) => list.mailboxes);
  const isReadable = lists.every(({ isWellFormed }) => isWellFormed) && mailboxes.length <= addressLimit;
  if (!isWhole || !isSingle || !isReadable || Number.isNaN(date.getTime())) return undefined;
  const signedNames = [...neededNames, ...possibleNames.filter((name) => count(name) > 0)];
  return {
    addressed: mailboxes.map(({ localPart, domain }) => bytesAsText(`${localPart}@${domain}`)),
    date,
    threadIds: threadIdsIn(fields),
    isAutomatic: isAutomatic(fields),
    signedNames,
    canonical: signedNames.map((name) => `${name}:${relaxed(bodyOf(fields, name) ?? "")}`).join("\r\n"),
  };
}

/** RFC 6376 section 3.4.2. */
function relaxed(body: string): string {
  return body.replace(/[ \t]+/g, " ").trim();
}
