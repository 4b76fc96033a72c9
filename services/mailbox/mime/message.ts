import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type AttachmentStream, type HeaderLines, MailParser, type MessageText } from "mailparser";
import { asError, messageOf } from "../../platform/errors.ts";
import { textToHtml } from "../payload/text-to-html.ts";
import { storableText } from "../storable-text.ts";
import { attachmentName, mediaType } from "./attachment-name.ts";
import { type Header, readHeader } from "./headers.ts";
import { Beginning } from "./message-prefix.ts";
import { QuotedPrintable } from "./quoted-printable.ts";

export interface MessageAttachment<Kept> {
  readonly filename: string;
  readonly mime: string;
  readonly contentId: string | null;
  /** What `keep` made of its bytes. */
  readonly kept: Kept;
}

/** A message as far as it could be read. */
export interface Message<Kept> {
  readonly headers: readonly Header[];
  /** Null when the message has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly MessageAttachment<Kept>[];
  /** Why the rest could not be read; null when all was. */
  readonly fault: string | null;
}

/** RFC 5322 section 2.1.1. */
const idLimit = 998;

type Part = AttachmentStream | MessageText;

/** A part as mailparser has it before it is read. */
interface PartNode {
  /** The Content-Transfer-Encoding, in lower case. */
  encoding: string;
  getDecoder(): Transform;
}

const inherited = MailParser.prototype as unknown as { createNode(node: PartNode): unknown };

/** mailparser without its dearer conversions: ours happen when somebody reads the mail. */
class Parser extends MailParser {
  constructor() {
    super({ skipHtmlToText: true });
  }

  /** mailparser's own hook, called for each part. */
  createNode(node: PartNode): unknown {
    if (node.encoding === "quoted-printable") node.getDecoder = () => new QuotedPrintable();
    return inherited.createNode.call(this, node);
  }

  /** mailparser's own hook, called where text stands between HTML parts: its version writes every letter beyond ASCII as an entity. */
  textToHtml(text: string): string {
    return textToHtml(text);
  }
}

/**
 * Reads a message as it streams in. Attachments go to `keep` one after the other and are never held here; the text parts are.
 * @throws what the source or `keep` failed with, or the signal's reason. A message that is badly made is no error: see `fault`.
 */
export async function readMessage<Kept>(
  source: Readable,
  keep: (bytes: Readable) => Promise<Kept>,
  signal: AbortSignal,
): Promise<Message<Kept>> {
  const reading = new Reading(keep);
  const beginning = new Beginning();
  try {
    const watch = (chunks: AsyncIterable<Buffer>) => beginning.watch(chunks);
    await pipeline(source, watch, reading.parser, (parts: AsyncIterable<Part>) => reading.collect(parts), { signal });
  } catch (error) {
    const notTheMessages = signal.aborted ? asError(signal.reason) : (reading.keepFailure ?? source.errored);
    if (notTheMessages) throw notTheMessages;
    return reading.message(messageOf(error), beginning);
  }
  return reading.message(null, beginning);
}

/** What has been read of one message so far. */
class Reading<Kept> {
  readonly parser = new Parser();
  keepFailure: Error | undefined;
  readonly #keep: (bytes: Readable) => Promise<Kept>;
  readonly #attachments: MessageAttachment<Kept>[] = [];
  #headers: Header[] = [];
  #text: string | null = null;
  #html: string | null = null;

  constructor(keep: (bytes: Readable) => Promise<Kept>) {
    this.#keep = keep;
    this.parser.on("headerLines", (lines: HeaderLines) => {
      this.#headers = lines.map(({ line }) => readHeader(line)).filter((header) => header !== undefined);
    });
  }

  async collect(parts: AsyncIterable<Part>): Promise<void> {
    for await (const part of parts) {
      if (part.type === "attachment") await this.#take(part);
      else this.#takeText(part);
    }
  }

  #takeText({ text, html }: MessageText): void {
    this.#text = typeof text === "string" ? storableText(text) : null;
    this.#html = typeof html === "string" ? storableText(html) : null;
  }

  async #take(part: AttachmentStream): Promise<void> {
    const kept = await this.#keep(part.content as Readable).catch((error) => {
      this.keepFailure = asError(error);
      throw error;
    });
    const mime = mediaType(part.contentType);
    const filename = attachmentName(part.filename, mime, this.#attachments.length);
    this.#attachments.push({ filename, mime, contentId: part.cid ? storableText(part.cid, idLimit) : null, kept });
    part.release();
  }

  /** Where nothing came of its structure (no boundary found, no header at all, too deep) its beginning as text is better than nothing. */
  message(fault: string | null, beginning: Beginning): Message<Kept> {
    const found = { headers: this.#headers, text: this.#text, html: this.#html, attachments: this.#attachments, fault };
    const isRead = this.#text !== null || this.#html !== null || this.#attachments.length > 0;
    if (fault === null && isRead) return found;
    const { headers, text } = beginning.read();
    return { ...found, headers: this.#headers.length > 0 ? this.#headers : headers, text };
  }
}
