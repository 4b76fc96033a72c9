import { isUtf8 } from "node:buffer";
import { encode, wrap } from "nodemailer/lib/qp";
import { type MimeNode, readMimeTree } from "../../message/mime/mime-tree.ts";
import { decodedBody } from "./address-search.ts";
import { answerLimits } from "./find-leaks.ts";
import type { NamedMailbox } from "./named-mailboxes.ts";
import { replaceInPeople } from "./replace-addresses.ts";

const calendarTypes = new Set(["text/calendar", "application/ics"]);
const signedTypes = new Set(["multipart/signed", "multipart/encrypted"]);
const addressIn = /(\bmailto:|\bEMAIL=)([^\s"<>;:,?]+@[^\s"<>;:,?]+)/gi;

/** Whom the invitations of a message name, the organiser first. */
export function calendarMailboxes(message: Buffer): NamedMailbox[] {
  const found = new Map<string, NamedMailbox>();
  for (const part of calendarParts(message)) {
    const lines: string[] = [];
    replaceInPeople(textOf(message, part).text, (line) => {
      lines.push(line);
      return line;
    });
    const isOrganizer = (line: string) => /^ORGANIZER/i.test(line);
    for (const line of [...lines.filter(isOrganizer), ...lines.filter((each) => !isOrganizer(each))])
      for (const [, , address = ""] of line.matchAll(addressIn)) {
        const key = address.toLowerCase();
        if (!found.has(key)) found.set(key, { address, name: "", invitesReplies: isOrganizer(line) });
      }
  }
  return [...found.values()].slice(0, 1_000);
}

/**
 * A message whose invitations name reverse addresses: calendars send what their owner answers straight to the organiser.
 * @param reverseAddresses by address in lower case
 */
export function incomingCalendar(message: Buffer, reverseAddresses: ReadonlyMap<string, string>): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const part of calendarParts(message)) {
    const { text, encoding } = textOf(message, part);
    let isNamed = false;
    const replaced = replaceInPeople(text, (line) =>
      line.replaceAll(addressIn, (whole, scheme: string, address: string) => {
        const reverse = reverseAddresses.get(address.toLowerCase());
        isNamed ||= reverse !== undefined;
        return reverse === undefined ? whole : scheme + reverse;
      }),
    );
    if (!isNamed) continue;
    const body = transferEncoded(Buffer.from(replaced, encoding), part.content.transferEncoding);
    pieces.push(message.subarray(at, part.bodyStart), body);
    at = part.bodyEnd;
  }
  return pieces.length === 0 ? message : Buffer.concat([...pieces, message.subarray(at)]);
}

/** In the order in which they stand there; none inside of what is signed or encrypted. */
function calendarParts(message: Buffer): MimeNode[] {
  if (!/text\/calendar|application\/ics/i.test(message.toString("latin1"))) return [];
  const root = readMimeTree(message, answerLimits);
  const visit = (node: MimeNode): MimeNode[] => {
    if (signedTypes.has(node.content.type)) return [];
    if (node.children.length > 0) return node.children.flatMap(visit);
    return calendarTypes.has(node.content.type) ? [node] : [];
  };
  return root ? visit(root) : [];
}

/** Addresses are ASCII in every charset of calendars: what is no UTF-8 is kept octet for octet. */
function textOf(message: Buffer, { bodyStart, bodyEnd, content }: MimeNode) {
  const bytes = decodedBody(message.subarray(bodyStart, bodyEnd), content.transferEncoding);
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  return { text: bytes.toString(encoding), encoding } as const;
}

function transferEncoded(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(bytes.toString("base64").replaceAll(/.{76}(?=.)/g, "$&\r\n"), "latin1");
  if (encoding === "quoted-printable") return Buffer.from(wrap(encode(bytes), 76), "latin1");
  return bytes;
}
