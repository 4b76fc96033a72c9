import { addAbortSignal, type Readable } from "node:stream";
import type { ByteDecoder } from "../../message/coding/decoder.ts";
import { transferDecoder } from "../../message/coding/transfer-encoding.ts";
import type { Entity, MimeEvent, MimeLimits } from "../../message/mime/entity.ts";
import { MimeParser } from "../../message/mime/mime-parser.ts";
import { asError } from "../../platform/errors.ts";
import { storableText } from "../../platform/storable-text.ts";
import { type Author, listedAuthor } from "../lists/author.ts";
import { attachmentName } from "./attachment-name.ts";
import { AttachmentWriter } from "./attachment-writer.ts";
import { joinTexts, TextBudget, TextPart } from "./body-texts.ts";
import { type Header, readHeaders } from "./headers.ts";
import { fileType, isBodyText } from "./part-kind.ts";

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
  /** Whom From names; null where it names nobody. */
  readonly author: Author | null;
  /** Null when the message has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly MessageAttachment<Stored>[];
  /** Why the rest could not be parsed; null when all was. */
  readonly fault: string | null;
  /** Something of it was left out because it was over a limit. */
  readonly isCut: boolean;
}

/** RFC 5322 section 2.1.1. */
const idLimit = 998;
/** In characters. */
const preambleLimit = 256 * 1024;
const limits: MimeLimits = { entities: 1_000, depth: 50, headerBytes: 1024 * 1024 };
const faults: Readonly<Record<keyof MimeLimits, string>> = {
  entities: `it has more than ${limits.entities} parts`,
  depth: `its parts are nested deeper than ${limits.depth} levels`,
  headerBytes: `a header section is longer than ${limits.headerBytes} bytes`,
};

/**
 * Parses a message as it streams in. Attachments go to `store` one after the other and are not held in memory; text parts are.
 * @param textLimit in characters, of plain text and of HTML each: what is over it is left out
 * @throws the error of the source or of `store`, or the signal's reason. A malformed message is no error: see `fault`.
 */
export async function parseMessage<Stored>(
  source: Readable,
  store: (bytes: Readable) => Promise<Stored>,
  signal: AbortSignal,
  textLimit: number = Number.POSITIVE_INFINITY,
): Promise<ParsedMessage<Stored>> {
  const parser = new MimeParser(limits);
  const collector = new MessageCollector(store, textLimit);
  try {
    for await (const chunk of addAbortSignal(signal, source)) {
      await collector.handleEvents(parser.write(chunk as Buffer));
      // The rest is not even fetched.
      if (parser.isInLastEntity && collector.isLeavingOut) break;
    }
    await collector.handleEvents(parser.end());
  } catch (error) {
    const reason = signal.aborted ? asError(signal.reason) : asError(error);
    await collector.abandon(reason);
    throw reason;
  }
  return collector.message(parser.exceededLimit);
}

/** Collects the parts of one message. */
class MessageCollector<Stored> {
  readonly #store: (bytes: Readable) => Promise<Stored>;
  readonly #textLimit: number;
  readonly #plainBudget: TextBudget;
  readonly #htmlBudget: TextBudget;
  readonly #attachments: MessageAttachment<Stored>[] = [];
  readonly #texts: TextPart[] = [];
  /** What stands in multiparts before their first part, as long as none came. */
  readonly #preambles = new Map<Entity, TextPart>();
  #headers: Header[] = [];
  #author: Author | null = null;
  /** Of the leaf that is being read. */
  #decoder: ByteDecoder | undefined;
  #text: TextPart | undefined;
  #attachment: AttachmentWriter<Stored> | undefined;

  constructor(store: (bytes: Readable) => Promise<Stored>, textLimit: number) {
    this.#store = store;
    this.#textLimit = textLimit;
    this.#plainBudget = new TextBudget(textLimit);
    this.#htmlBudget = new TextBudget(textLimit);
  }

  /** Whether all that comes before the next entity is left out: a text over the limit, or what follows the last part. */
  get isLeavingOut(): boolean {
    if (this.#attachment) return false;
    return this.#text ? this.#text.isCut : [...this.#preambles.values()].every((preamble) => preamble.isCut);
  }

  async handleEvents(events: readonly MimeEvent[]): Promise<void> {
    for (const event of events) {
      if (event.kind === "begin") this.#begin(event.entity);
      else if (event.kind === "end") await this.#end(event.entity);
      else if (event.entity.isMultipart) this.#preambles.get(event.entity)?.write(event.bytes);
      else if (this.#decoder && !this.#text?.isCut) await this.#write(this.#decoder.write(event.bytes));
    }
  }

  #begin(entity: Entity): void {
    if (!entity.parent) {
      this.#headers = readHeaders(entity.fields);
      this.#author = listedAuthor(entity.fields);
    } else this.#preambles.delete(entity.parent);
    if (entity.isMultipart) {
      this.#preambles.set(entity, new TextPart(entity, new TextBudget(preambleLimit)));
      return;
    }
    this.#decoder = transferDecoder(entity.content.transferEncoding);
    const budget = entity.content.type === "text/html" ? this.#htmlBudget : this.#plainBudget;
    if (isBodyText(entity, this.#texts.length === 0)) this.#text = new TextPart(entity, budget);
    else this.#attachment = new AttachmentWriter(this.#store);
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#text?.write(bytes);
    await this.#attachment?.write(bytes);
  }

  async #end(entity: Entity): Promise<void> {
    if (entity.isMultipart) {
      // Its parts were never found: it is shown as it is.
      const preamble = this.#preambles.get(entity);
      if (preamble) this.#texts.push(preamble);
      return;
    }
    await this.#write(this.#decoder?.end() ?? Buffer.alloc(0));
    if (this.#text) this.#texts.push(this.#text);
    if (this.#attachment) await this.#addAttachment(entity, this.#attachment);
    this.#text = undefined;
    this.#attachment = undefined;
  }

  async #addAttachment(entity: Entity, writer: AttachmentWriter<Stored>): Promise<void> {
    const stored = await writer.finish();
    const mime = fileType(entity);
    const { fileName, contentId = "" } = entity.content;
    const filename = attachmentName(fileName, mime, this.#attachments.length);
    this.#attachments.push({ filename, mime, contentId: storableText(contentId, idLimit) || null, stored });
  }

  async abandon(error: Error): Promise<void> {
    await this.#attachment?.abandon(error);
  }

  message(exceeded: keyof MimeLimits | undefined): ParsedMessage<Stored> {
    const { text, html, isCut: isHtmlCut } = joinTexts(this.#texts, this.#textLimit);
    const fault = exceeded === undefined ? null : faults[exceeded];
    const isCut = exceeded !== undefined || isHtmlCut || this.#texts.some((part) => part.isCut);
    return { headers: this.#headers, author: this.#author, text, html, attachments: this.#attachments, fault, isCut };
  }
}
