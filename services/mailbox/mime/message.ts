import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type AttachmentStream, type HeaderLines, MailParser, type MessageText } from "mailparser";
import { asError, messageOf } from "../../platform/errors.ts";
import { textToHtml } from "../payload/text-to-html.ts";
import { storableText } from "../storable-text.ts";
import { attachmentName, mediaType } from "./attachment-name.ts";
import { type Header, readHeader } from "./headers.ts";
import { MessagePrefix } from "./message-prefix.ts";
import { QuotedPrintable } from "./quoted-printable.ts";

export interface MessageAttachment<Stored> {
  readonly filename: string;
  readonly mime: string;
  readonly contentId: string | null;
  /** What `store` returned for its bytes. */
  readonly stored: Stored;
}

/** A message as far as it could be parsed. */
export interface ParsedMessage<Stored> {
  readonly headers: readonly Header[];
  /** Null when the message has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly MessageAttachment<Stored>[];
  /** Why the rest could not be parsed; null when all was. */
  readonly fault: string | null;
  /** The text is the beginning of the raw message. */
  readonly isCut: boolean;
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

/** mailparser without its costly conversions: ours run on demand. */
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
 * Parses a message as it streams in. Attachments go to `store` one after the other and are not held in memory; text parts are.
 * @throws the error of the source or of `store`, or the signal's reason. A malformed message is no error: see `fault`.
 */
export async function parseMessage<Stored>(
  source: Readable,
  store: (bytes: Readable) => Promise<Stored>,
  signal: AbortSignal,
): Promise<ParsedMessage<Stored>> {
  const collector = new MessageCollector(store);
  const prefix = new MessagePrefix();
  try {
    const tee = (chunks: AsyncIterable<Buffer>) => prefix.tee(chunks);
    await pipeline(source, tee, collector.parser, (parts: AsyncIterable<Part>) => collector.collect(parts), { signal });
  } catch (error) {
    const notTheMessages = signal.aborted ? asError(signal.reason) : (collector.storeFailure ?? prefix.sourceFailure);
    if (notTheMessages) throw notTheMessages;
    return collector.message(messageOf(error), prefix);
  }
  return collector.message(null, prefix);
}

/** Collects the parts of one message. */
class MessageCollector<Stored> {
  readonly parser = new Parser();
  storeFailure: Error | undefined;
  readonly #store: (bytes: Readable) => Promise<Stored>;
  readonly #attachments: MessageAttachment<Stored>[] = [];
  #headers: Header[] = [];
  #text: string | null = null;
  #html: string | null = null;

  constructor(store: (bytes: Readable) => Promise<Stored>) {
    this.#store = store;
    this.parser.on("headerLines", (lines: HeaderLines) => {
      this.#headers = lines.map(({ line }) => readHeader(line)).filter((header) => header !== undefined);
    });
  }

  async collect(parts: AsyncIterable<Part>): Promise<void> {
    for await (const part of parts) {
      if (part.type === "attachment") await this.#addAttachment(part);
      else this.#addText(part);
    }
  }

  #addText({ text, html }: MessageText): void {
    this.#text = typeof text === "string" ? storableText(text) : null;
    this.#html = typeof html === "string" ? storableText(html) : null;
  }

  async #addAttachment(part: AttachmentStream): Promise<void> {
    const stored = await this.#store(part.content as Readable).catch((error) => {
      this.storeFailure = asError(error);
      throw error;
    });
    const mime = mediaType(part.contentType);
    const filename = attachmentName(part.filename, mime, this.#attachments.length);
    this.#attachments.push({ filename, mime, contentId: part.cid ? storableText(part.cid, idLimit) : null, stored });
    part.release();
  }

  /** Falls back to the raw prefix as text where no part was found (no boundary, no header, nested too deeply). */
  message(fault: string | null, prefix: MessagePrefix): ParsedMessage<Stored> {
    const found = {
      headers: this.#headers,
      text: this.#text,
      html: this.#html,
      attachments: this.#attachments,
      fault,
      isCut: false,
    };
    const isRead = this.#text !== null || this.#html !== null || this.#attachments.length > 0;
    if (fault === null && isRead) return found;
    const { headers, text } = prefix.parse();
    return { ...found, headers: this.#headers.length > 0 ? this.#headers : headers, text, isCut: prefix.isCut };
  }
}
