import { comparableAddress } from "../../message/address/addr-spec.ts";
import { bytesAsText, fieldsNamed, type HeaderField, unfoldedBody } from "../../message/header/fields.ts";
import { singleAuthor } from "../../message/header/single-author.ts";

/** What a failure report needs from the header section of the message. */
export interface Original {
  /** Not an automatic message, a list's or a report: RFC 3834 section 2 allows an answer. */
  isAnswerable: boolean;
  /** The one address in From, as `comparableAddress` has it; undefined where there is not exactly one. */
  author: string | undefined;
  /** The fields by which its author knows it again. */
  shown: readonly HeaderField[];
  /** With its brackets; undefined if it has none. */
  messageId: string | undefined;
}

const shownNames = ["date", "subject", "message-id"];
/** Of each field: enough to recognise a message. Anybody can cause a report, so it must stay small. */
const shownLimitBytes = 2_000;
const listNames = ["list-id", "list-post", "list-unsubscribe", "list-help"];
const messageIdPattern = /^<[!-;=?-~]{1,500}>$/;

export function describeOriginal(fields: readonly HeaderField[]): Original {
  const shown = shownNames
    .flatMap((name) => fieldsNamed(fields, name).slice(0, 1))
    .filter(({ raw }) => raw.length <= shownLimitBytes);
  // Of those alone, since they are what a returned message is recognized by.
  const messageId = first(shown, "message-id");
  return {
    isAnswerable: isAnswerable(fields),
    author: singleAuthorAddress(fields),
    shown,
    messageId: messageId !== undefined && messageIdPattern.test(messageId) ? messageId : undefined,
  };
}

/** The one address in From, as `comparableAddress` has it; undefined where there is not exactly one. */
export function singleAuthorAddress(fields: readonly HeaderField[]): string | undefined {
  const author = singleAuthor(fields);
  return author && comparableAddress(bytesAsText(`${author.localPart}@${author.domain}`));
}

function isAnswerable(fields: readonly HeaderField[]): boolean {
  const submitted = first(fields, "auto-submitted");
  if (submitted !== undefined && !/^no\b/i.test(submitted)) return false;
  if (/^(?:bulk|list|junk)\b/i.test(first(fields, "precedence") ?? "")) return false;
  if (/\b(?:all|dr|ndr|autoreply)\b/i.test(first(fields, "x-auto-response-suppress") ?? "")) return false;
  if (/^multipart\/report\b/i.test(first(fields, "content-type") ?? "")) return false;
  return !fields.some(({ name }) => listNames.includes(name));
}

function first(fields: readonly HeaderField[], name: string): string | undefined {
  const [found] = fieldsNamed(fields, name);
  return found && unfoldedBody(found);
}
