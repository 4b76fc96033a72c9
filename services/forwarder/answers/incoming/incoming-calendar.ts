import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type HeaderField, serializeFields } from "../../../message/header/fields.ts";
import { type MimeNode, readMimeTree } from "../../../message/mime/mime-tree.ts";
import type { Edit } from "../../outbound/edits.ts";
import { mailboxLimit, type NamedMailbox } from "../named-mailboxes.ts";
import { decodedBody } from "../search/address-search.ts";
import { answerLimits } from "../search/find-leaks.ts";
import { quotedPrintableText } from "../search/quoted-printable-text.ts";
import { calendarTypes, replaceInPeople } from "../search/replace-addresses.ts";

const signedType = "multipart/signed";
const addressIn = /(\bmailto:|;EMAIL=)("?)([^\s"<>;:,?]+@[^\s"<>;:,?]+)("?)/gi;
const mark = /text\/calendar|application\/ics/i;
const markLength = "application/ics".length;
const sliceLength = 128 * 1024;
/** What calendars know as somebody without an address. */
const withoutAddress = "invalid:nomail";

/** What becomes of the invitations of a message. */
interface IncomingInvitations {
  /** In the order in which they stand there, all below the message's own header. */
  readonly edits: readonly Edit[];
  /** The message as a whole was signed, and is no longer. */
  readonly isUnsigned: boolean;
}

/** Whether a message may have invitations. */
export async function mayInvite(message: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<boolean> {
  let end = "";
  for await (const chunk of message) {
    const text = end + chunk.toString("latin1");
    if (mark.test(text)) return true;
    end = text.slice(-markLength);
  }
  return false;
}

/** Whom the invitations of a message name, organisers first; of either no more than are looked up. */
export async function calendarMailboxes(message: Buffer): Promise<NamedMailbox[]> {
  const organizers = new Map<string, NamedMailbox>();
  const attendees = new Map<string, NamedMailbox>();
  for (const part of calendarParts(message)) {
    const { text } = await textOf(message, part);
    await replaceBySlices(text, (line) => {
      const invitesReplies = /^ORGANIZER/i.test(line);
      const found = invitesReplies ? organizers : attendees;
      for (const [, , , address = ""] of line.matchAll(addressIn)) {
        const key = address.toLowerCase();
        if (found.size < mailboxLimit && !found.has(key)) found.set(key, { address, name: "", invitesReplies });
      }
      return line;
    });
  }
  return [...new Map([...organizers, ...[...attendees].filter(([key]) => !organizers.has(key))]).values()];
}

/**
 * Invitations with reverse addresses: calendars send what their owner answers straight to the organiser. Who has none keeps a name alone. A
 * signature over one would be broken, so the part is none that is signed: what was its signature is a file beside it.
 * @param reverseAddresses by address in lower case; "own" for what stays
 */
export async function incomingInvitations(
  message: Buffer,
  reverseAddresses: ReadonlyMap<string, string>,
): Promise<IncomingInvitations> {
  const edits: Edit[] = [];
  const signed = new Set<MimeNode>();
  for (const part of calendarParts(message)) {
    const { text, encoding } = await textOf(message, part);
    const replaced = await replaceBySlices(text, (line) =>
      line.replaceAll(addressIn, (whole, scheme: string, opening: string, address: string, closing: string) => {
        const reverse = reverseAddresses.get(address.toLowerCase());
        if (reverse === "own") return whole;
        if (reverse !== undefined) return scheme + opening + reverse + closing;
        return scheme.startsWith(";") ? "" : opening + withoutAddress + closing;
      }),
    );
    if (replaced === text) continue;
    const bytes = await transferEncoded(Buffer.from(replaced, encoding), part.content.transferEncoding);
    edits.push({ from: part.bodyStart, to: part.bodyEnd, bytes });
    for (let each = part.parent; each; each = each.parent) if (each.content.type === signedType) signed.add(each);
  }
  for (const { parent, fields, headerStart, headerEnd } of signed)
    if (parent)
      edits.push({ from: headerStart, to: headerEnd, bytes: Buffer.from(serializeFields(unsigned(fields)), "latin1") });
  return {
    edits: edits.toSorted((one, other) => one.from - other.from),
    isUnsigned: [...signed].some(({ parent }) => !parent),
  };
}

/** As `replaceInPeople`: of a calendar as long as a message may be, a slice in each turn of the event loop. */
async function replaceBySlices(text: string, replace: (line: string) => string): Promise<string> {
  let replaced = "";
  const lineEnd = /\n(?![ \t])/g;
  for (let from = 0; from < text.length; from = lineEnd.lastIndex) {
    if (from > 0) await nextTurn();
    lineEnd.lastIndex = from + sliceLength;
    if (!lineEnd.test(text)) lineEnd.lastIndex = text.length;
    replaced += replaceInPeople(text.slice(from, lineEnd.lastIndex), replace);
  }
  return replaced;
}

/** The fields of a part whose signature is one no longer. */
export function unsigned(fields: readonly HeaderField[]): HeaderField[] {
  return fields.map((field) =>
    field.name === "content-type"
      ? { ...field, raw: field.raw.replace(/multipart\/signed/i, "multipart/mixed") }
      : field,
  );
}

/** In the order in which they stand there; none inside of what is encrypted. */
function calendarParts(message: Buffer): MimeNode[] {
  const root = readMimeTree(message, answerLimits);
  const visit = (node: MimeNode): MimeNode[] => {
    if (node.content.type === "multipart/encrypted") return [];
    if (node.children.length > 0) return node.children.flatMap(visit);
    return calendarTypes.has(node.content.type) ? [node] : [];
  };
  return root ? visit(root) : [];
}

/** Addresses are ASCII in every charset of calendars: what is no UTF-8 is kept octet for octet. */
async function textOf(message: Buffer, { bodyStart, bodyEnd, content }: MimeNode) {
  const bytes = await decodedBody(message.subarray(bodyStart, bodyEnd), content.transferEncoding);
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  return { text: bytes.toString(encoding), encoding } as const;
}

async function transferEncoded(bytes: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === "base64") return Buffer.from(bytes.toString("base64").replaceAll(/.{76}(?=.)/g, "$&\r\n"), "latin1");
  if (encoding === "quoted-printable") return quotedPrintableText(bytes);
  return bytes;
}
