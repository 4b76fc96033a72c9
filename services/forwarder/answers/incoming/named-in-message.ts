import { setImmediate as nextTurn } from "node:timers/promises";
import { parseAddressList } from "../../../message/address/address-list.ts";
import type { ByteDecoder } from "../../../message/coding/decoder.ts";
import { decodeEncodedWords } from "../../../message/coding/encoded-words.ts";
import { transferDecoder } from "../../../message/coding/transfer-encoding.ts";
import { bytesAsText, fieldText, type HeaderField, unfoldedBody } from "../../../message/header/fields.ts";
import type { Entity, MimeEvent } from "../../../message/mime/entity.ts";
import { MimeParser } from "../../../message/mime/mime-parser.ts";
import { formatMailbox, phraseOf } from "../../outbound/display-phrase.ts";
import { addressFields } from "../named-mailboxes.ts";
import { answerLimits } from "../search/find-leaks.ts";
import { addressPattern } from "../search/replace-addresses.ts";
import { readingsOf, textsOf } from "../search/text-readings.ts";

/** Of headers and texts together: it is searched at once, and nobody writes more for people to read. */
const searchedBytes = 4 * 1024 * 1024;
/** After each reading of a longer text other work has its turn. */
const longText = 64 * 1024;
/** Messages within messages. */
const nestingLimit = 5;

const addressNames: ReadonlySet<string> = new Set(addressFields);

interface Sought {
  readonly patterns: readonly RegExp[];
  /** Their addresses are taken out of display names. */
  readonly ownDomains: readonly string[];
  leftBytes: number;
}

/**
 * Whether a message has one of the addresses where a mail program that quotes it may show it as it is: in its texts, or in its headers,
 * such as a display name or the subject. True also for what is too large, or has too many parts, to be searched.
 */
export async function isNamedIn(
  message: AsyncIterable<Buffer>,
  addresses: readonly string[],
  ownDomains: readonly string[],
): Promise<boolean> {
  const patterns = addresses.map(addressPattern);
  const search = new MessageSearch({ patterns, ownDomains, leftBytes: searchedBytes });
  for await (const chunk of message) if (await search.push(chunk)) return true;
  return search.end();
}

/** Looks through a message as it streams by. */
class MessageSearch {
  readonly #sought: Sought;
  readonly #nesting: number;
  readonly #parser = new MimeParser(answerLimits);
  #decoder: ByteDecoder = transferDecoder("");
  #pieces: Buffer[] = [];
  /** Of a message that this one has as a part. */
  #inner: MessageSearch | undefined;

  constructor(sought: Sought, nesting = 0) {
    this.#sought = sought;
    this.#nesting = nesting;
  }

  push(chunk: Buffer): Promise<boolean> {
    return this.#isAnyFound(this.#parser.write(chunk));
  }

  end(): Promise<boolean> {
    return this.#isAnyFound(this.#parser.end());
  }

  async #isAnyFound(events: readonly MimeEvent[]): Promise<boolean> {
    for (const event of events) if (await this.#isFound(event)) return true;
    return this.#parser.exceededLimit !== undefined;
  }

  async #isFound(event: MimeEvent): Promise<boolean> {
    const { entity } = event;
    if (event.kind === "begin") return this.#begin(entity);
    if (!isRead(entity)) return false;
    if (event.kind === "bytes") return this.#add(event.bytes);
    const rest = this.#decoder.end();
    if (this.#inner) return (await this.#inner.push(rest)) || this.#inner.end();
    return this.#isInAny(unfoldedTexts(Buffer.concat([...this.#pieces, rest]), entity));
  }

  async #begin(entity: Entity): Promise<boolean> {
    const { fields, content } = entity;
    const isMessage = content.type === "message/rfc822" || content.type === "message/global";
    if (isMessage && this.#nesting === nestingLimit) return true;
    this.#decoder = transferDecoder(content.transferEncoding);
    this.#pieces = [];
    this.#inner = isMessage ? new MessageSearch(this.#sought, this.#nesting + 1) : undefined;
    const sizeBytes = fields.reduce((sum, { raw }) => sum + raw.length, 0);
    if (this.#isTooMuch(sizeBytes)) return true;
    const isRewritten = this.#nesting === 0 && !entity.parent;
    const texts = fields.flatMap((field) => fieldTexts(field, { ...this.#sought, isRewritten }));
    return this.#isInAny([content.fileName ?? "", ...texts]);
  }

  async #add(bytes: Buffer): Promise<boolean> {
    if (this.#inner) return this.#inner.push(this.#decoder.write(bytes));
    if (this.#isTooMuch(bytes.length)) return true;
    this.#pieces.push(this.#decoder.write(bytes));
    return false;
  }

  #isTooMuch(sizeBytes: number): boolean {
    this.#sought.leftBytes -= sizeBytes;
    return this.#sought.leftBytes < 0;
  }

  async #isInAny(texts: readonly string[]): Promise<boolean> {
    for (const text of texts) if (await this.#isInText(text)) return true;
    return false;
  }

  async #isInText(text: string): Promise<boolean> {
    const { patterns } = this.#sought;
    // No reading has an @ that is not there as itself, as a reference or percent-encoded: most fields and many texts are done with here.
    if (!/[@&%]/.test(text)) return false;
    for await (const reading of readingsOf(text)) {
      if (patterns.some((pattern) => pattern.test(reading))) return true;
      if (text.length > longText) await nextTurn();
    }
    return false;
  }
}

/** What programs show: texts, messages and reports, and multiparts that cannot be taken apart. */
function isRead({ content: { type }, isMultipart }: Entity): boolean {
  return !isMultipart && /^(?:text|message|multipart)\//.test(type);
}

/** A calendar without its folds (RFC 5545 section 3.1). */
function unfoldedTexts(bytes: Buffer, { content }: Entity): string[] {
  const texts = textsOf(bytes, content);
  return content.type === "text/calendar" ? texts.map((text) => text.replaceAll(/\r?\n[ \t]/g, "")) : texts;
}

/** A field as its owner sees it. Of lists of addresses in the message's own header that is names alone: see incomingHeader. */
function fieldTexts(field: HeaderField, seen: { ownDomains: readonly string[]; isRewritten: boolean }): string[] {
  const names = addressNames.has(field.name) ? namesIn(field, seen.ownDomains) : [];
  const texts = seen.isRewritten && names.length > 0 ? names : [fieldText(field), ...names];
  return texts.flatMap((text) => [text, withoutQuotedPairs(text)]);
}

function namesIn(field: HeaderField, ownDomains: readonly string[]): string[] {
  const { entries, mailboxes } = parseAddressList(unfoldedBody(field));
  const groups = entries.flatMap((entry) => ("members" in entry ? [entry.displayName] : []));
  return [...mailboxes.map(formatMailbox), ...groups].flatMap((name) =>
    [name, phraseOf(name, ownDomains).join(" ")].map((each) => decodeEncodedWords(bytesAsText(each))),
  );
}

/** RFC 5322 section 3.2.1. */
function withoutQuotedPairs(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}
