import { comparableAddress } from "../../message/address/addr-spec.ts";
import { bodyOf, type HeaderField, parseFields } from "../../message/header/fields.ts";
import { splitMessage } from "../../message/header/section.ts";
import { singleAuthorAddress } from "../reports/original.ts";
import { type MessagePart, readParts } from "./report-parts.ts";

/** What a message that came back says of its delivery. */
export interface Bounce {
  kind: "failed" | "delayed";
  /** In the words of the server that gave up, on one line. */
  response: string;
}

const reportTypes = ["message/delivery-status", "message/global-delivery-status"];
const responseLimit = 500;

/**
 * Reads a bounce: a delivery status notification (RFC 3464), or else the text of one in another form. Undefined for what
 * reports no failure: a vacation notice, a receipt, a person's answer.
 * @param hasNullSender as bounces have; only then is text looked at
 * @param recipient whom the message that came back was for
 */
export function readBounce(message: Buffer, hasNullSender: boolean, recipient: string): Bounce | undefined {
  const parts = readParts(message);
  const report = parts.find(({ type }) => reportTypes.includes(type));
  if (report) return readReport(report);
  return hasNullSender ? readText(message, parts, recipient) : undefined;
}

/** A reverse path of ours belongs to one recipient: of several groups the failed one counts. */
function readReport({ bytes }: MessagePart): Bounce | undefined {
  const groups = bytes
    .toString("latin1")
    .split(/(?:\r?\n){2,}/)
    .map((group) => parseFields(Buffer.from(group, "latin1")));
  const withAction = (action: string) => groups.find((fields) => valueIn(fields, "action") === action);
  const failed = withAction("failed");
  if (failed) return { kind: "failed", response: responseOf(failed) };
  const delayed = withAction("delayed");
  return delayed && { kind: "delayed", response: responseOf(delayed) };
}

/** What the server said; the report's status in front where the server has no code, or no better one. */
function responseOf(fields: readonly HeaderField[]): string {
  const words = (bodyOf(fields, "diagnostic-code") ?? "").replace(/^[\w-]+\s*;/, "").trim();
  const status = valueIn(fields, "status") ?? "";
  const isServersBetter =
    isSpecific(permanentStatusIn(words) ?? "") || (!isSpecific(status) && /^[45]\d\d\b/.test(words));
  return asLine(isServersBetter || words.includes(status) ? words : `${status} ${words}`);
}

/** Not "other" of everything or of a subject (RFC 3463 section 3.1). */
function isSpecific(status: string): boolean {
  return /^\d\.\d{1,3}\.[1-9]/.test(status);
}

function valueIn(fields: readonly HeaderField[], name: string): string | undefined {
  // Up to a comment.
  return bodyOf(fields, name)?.split("(", 1)[0]?.trim().toLowerCase();
}

const failureSubject =
  /undeliver|failure notice|returned mail|returned to sender|deliver\w* (?:has )?fail|delivery (?:status|problem|incomplete)|mail delivery|unzustellbar|non.?remis|no entregad/i;
const delaySubject = /delay|warning|still (?:being )?(?:tried|trying)|retry/i;
const mailer = /\bmailer-daemon\b|\bpostmaster@|mail delivery/i;
/** An enhanced code, or a reply code where a reply would begin. */
const failureLine = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])|(?:^|[\s>:"'(])5[0-5]\d[ -]/;

function readText(message: Buffer, parts: readonly MessagePart[], recipient: string): Bounce | undefined {
  const fields = parseFields(splitMessage(message).header);
  if (!isByMailer(fields, recipient)) return undefined;
  const subject = valueIn(fields, "subject") ?? "";
  const text = parts.filter(({ type }) => type.startsWith("text/")).map(({ bytes }) => bytes.toString("latin1"));
  const line = text
    .join("\r\n")
    .split(/\r?\n/)
    .find((candidate) => failureLine.test(candidate));
  if (line !== undefined)
    return { kind: "failed", response: asLine(permanentStatusIn(line) ? line : line.slice(line.search(failureLine))) };
  if (delaySubject.test(subject)) return { kind: "delayed", response: asLine(subject) };
  return failureSubject.test(subject) ? { kind: "failed", response: asLine(subject) } : undefined;
}

/**
 * Whether a mail system wrote it. A subject is no sign of that: a vacation notice, whose sender is null too (RFC 3834
 * section 3.3), repeats the subject that a stranger chose. Its From is the recipient's own, be that postmaster.
 */
function isByMailer(fields: readonly HeaderField[], recipient: string): boolean {
  const submitted = bodyOf(fields, "auto-submitted") ?? "";
  if (/vacation/i.test(submitted) || singleAuthorAddress(fields) === comparableAddress(recipient)) return false;
  // Exim's and Gmail's.
  if (bodyOf(fields, "x-failed-recipients") !== undefined) return true;
  const from = bodyOf(fields, "from");
  if (from !== undefined) return mailer.test(from);
  return !/^auto-replied/i.test(submitted) && failureSubject.test(valueIn(fields, "subject") ?? "");
}

function asLine(text: string): string {
  const utf8 = Buffer.from(text, "latin1").toString("utf8");
  return utf8
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, responseLimit)
    .toWellFormed();
}

/** The first permanent enhanced status code in a text (RFC 3463 section 2). */
function permanentStatusIn(text: string): string | undefined {
  return /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(text)?.[0];
}
