import type { Readable } from "node:stream";
import { storableText } from "../../platform/storable-text.ts";
import type { ContentLimits } from "../limits.ts";
import type { Author } from "../lists/author.ts";
import { type Summary, summarize } from "../lists/summary.ts";
import { type Header, lastValue } from "../mime/headers.ts";
import { type MessageAttachment, parseMessage } from "../mime/message.ts";

/** What is stored of a message. */
export interface ParsedContent<Stored> {
  readonly headers: readonly Header[];
  readonly subject: string;
  readonly author: Author | null;
  readonly summary: Summary;
  /** In UTF-8; null when the message has no such part. */
  readonly text: Buffer | null;
  readonly html: Buffer | null;
  readonly attachments: readonly MessageAttachment<Stored>[];
  /** Something of the headers or the bodies was left out because it was over a limit. */
  readonly isTruncated: boolean;
  /** Why the rest could not be parsed; null when all was. */
  readonly fault: string | null;
}

type ParseLimits = Pick<ContentLimits, "textBytes" | "headerBytes">;

/** RFC 5322 section 2.1.1. */
const subjectLimit = 998;

/** Parses a message and cuts what is too long to be stored. @throws as parseMessage does. */
export async function parseContent<Stored>(
  source: Readable,
  store: (bytes: Readable) => Promise<Stored>,
  signal: AbortSignal,
  limits: ParseLimits,
): Promise<ParsedContent<Stored>> {
  const message = await parseMessage(source, store, signal, limits.textBytes);
  const headers = fittingHeaders(message.headers, limits.headerBytes);
  const text = utf8(message.text, limits.textBytes);
  const html = utf8(message.html, limits.textBytes);
  return {
    headers: headers.fitting,
    subject: (lastValue(headers.fitting, "subject") ?? "").slice(0, subjectLimit).toWellFormed(),
    author: message.author,
    summary: summarize(message.author, message.text, message.html),
    text: text.bytes,
    html: html.bytes,
    attachments: message.attachments,
    isTruncated: message.isCut || headers.isCut || text.isCut || html.isCut,
    fault: message.fault,
  };
}

/** The first headers that fit, each of them cut to an eighth of the limit. */
function fittingHeaders(
  headers: readonly Header[],
  limitBytes: number,
): { fitting: readonly Header[]; isCut: boolean } {
  const valueLimit = limitBytes / 8;
  const cut = headers.map(([name, value]): Header => [name, storableText(value, valueLimit)]);
  let left = limitBytes;
  const end = cut.findIndex(([name, value]) => {
    left -= Buffer.byteLength(name) + Buffer.byteLength(value);
    return left < 0;
  });
  const isCut = end !== -1 || headers.some(([, value]) => value.length > valueLimit);
  return { fitting: end === -1 ? cut : cut.slice(0, end), isCut };
}

function utf8(text: string | null, limitBytes: number): { bytes: Buffer | null; isCut: boolean } {
  if (text === null) return { bytes: null, isCut: false };
  const bytes = Buffer.from(text.slice(0, limitBytes));
  if (bytes.length <= limitBytes) return { bytes, isCut: text.length > limitBytes };
  return { bytes: bytes.subarray(0, characterStart(bytes, limitBytes)), isCut: true };
}

/** Where the character that an octet belongs to begins (RFC 3629 section 3). */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
