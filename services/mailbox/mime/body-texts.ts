import { type TextDecoding, textDecoding } from "../../message/coding/charset.ts";
import { type ByteDecoder, IdentityDecoder } from "../../message/coding/decoder.ts";
import { decodeFlowed } from "../../message/coding/flowed.ts";
import { LineEndDecoder } from "../../message/coding/line-ends.ts";
import type { Entity } from "../../message/mime/entity.ts";
import { storableText } from "../../platform/storable-text.ts";
import { textForHtml, textToHtml } from "../payload/text-to-html.ts";

interface BodyTexts {
  /** Null when the message has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  /** Plain text was left out of the HTML because it would have made too much of it. */
  readonly isCut: boolean;
}

/** Charsets in which ASCII is one byte: all but UTF-16 and UTF-32. */
const hasAscii = /^(?!(?:utf-?(?:16|32)|ucs-?2|unicode))/i;

/** How many characters of text may be held. */
export class TextBudget {
  #left: number;
  #isExceeded = false;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Whether something was cut off. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** As much of a text as fits. */
  spend(text: string): string {
    const fitting = text.length <= this.#left ? text : text.slice(0, this.#left);
    this.#left -= fitting.length;
    this.#isExceeded ||= fitting.length < text.length;
    return fitting;
  }
}

/** A part of text as it is being read. */
export class TextPart {
  readonly isHtml: boolean;
  /** Whether it says the same as another part, in another form. */
  readonly isAlternative: boolean;
  readonly #entity: Entity;
  readonly #budget: TextBudget;
  readonly #lineEnds: ByteDecoder;
  readonly #decoding: TextDecoding;
  readonly #pieces: string[] = [];

  /** @param budget what is over it is left out */
  constructor(entity: Entity, budget: TextBudget) {
    this.isHtml = entity.content.type === "text/html";
    this.isAlternative = isWithinAlternative(entity);
    this.#entity = entity;
    this.#budget = budget;
    const { charset } = entity.content;
    this.#lineEnds = hasAscii.test(charset ?? "") ? new LineEndDecoder() : new IdentityDecoder();
    this.#decoding = textDecoding(charset);
  }

  /** Whether something of it was left out, or of another part of the same budget. */
  get isCut(): boolean {
    return this.#budget.isExceeded;
  }

  write(bytes: Buffer): void {
    if (this.isCut) return;
    this.#add(this.#decoding.write(this.#lineEnds.write(bytes)));
  }

  #add(text: string): void {
    const fitting = this.#budget.spend(text);
    if (fitting !== "") this.#pieces.push(fitting);
  }

  finish(): string {
    this.write(this.#lineEnds.end());
    this.#add(this.#decoding.end());
    const text = this.#pieces.join("");
    const { isFlowed, deletesSpaces } = this.#entity.content;
    return storableText(isFlowed && !this.isHtml ? decodeFlowed(text, deletesSpaces) : text);
  }
}

/**
 * The bodies of a message as its parts of text make them: plain text that stands beside HTML, rather than instead of it, keeps its
 * place in the HTML.
 * @param htmlLimit in characters, of what each plain text makes in the HTML
 */
export function joinTexts(parts: readonly TextPart[], htmlLimit: number): BodyTexts {
  const written = parts.map((part) => ({ part, text: part.finish() })).filter(({ text }) => text !== "");
  const hasHtml = written.some(({ part }) => part.isHtml);
  const plain = written.filter(({ part }) => !part.isHtml).map(({ text }) => text);
  const text = plain.length > 0 ? plain.join("\n") : null;
  if (!hasHtml) return { text, html: null, isCut: false };
  const html = written
    .filter(({ part }) => part.isHtml || !part.isAlternative)
    .map(({ part, text: own }) => ({ part, text: own, fitting: part.isHtml ? own : textForHtml(own, htmlLimit) }));
  return {
    text,
    html: html.map(({ part, fitting }) => (part.isHtml ? fitting : textToHtml(fitting))).join("<br/>\n"),
    isCut: html.some(({ text: own, fitting }) => fitting.length < own.length),
  };
}

function isWithinAlternative({ parent }: Entity): boolean {
  return parent !== undefined && (parent.content.type === "multipart/alternative" || isWithinAlternative(parent));
}
