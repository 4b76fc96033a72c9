// Which parts of an answer its author did not write: the message answered, as mail programs quote it.

import { setImmediate as nextTurn } from "node:timers/promises";
import { mentionsReverseAddress } from "../../../message/address/reverse-address.ts";
import { turnCharacters } from "./pieces.ts";
import { shownLines } from "./text-readings.ts";

/** From and to, in characters of the text. */
export type Region = readonly [from: number, to: number];

const quoteMark = /^ {0,3}>/;
const separator =
  /^\s*(?:-{2,}\s*(?:original\s+message|forwarded\s+message|urspr\u00fcngliche\s+nachricht|weitergeleitete\s+nachricht|message\s+d'origine|mensaje\s+original|messaggio\s+originale)\s*-{2,}|begin\s+forwarded\s+message:|_{16,})\s*$/i;
const blockBegin = /^\s*\*?(?:from|von|de|da|van|fra|fr\u00e5n)\s*:\*?\s/i;
const blockField =
  /^\s*\*?(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoy\u00e9|objet|\u00e0|enviado|para|asunto|inviato|oggetto)\s*:/i;
const labelled = /^\s*\*?[^\s:\uff1a<>@][^:\uff1a<>@]{0,30}[:\uff1a]/;
const attributionEnd = /[:\uff1a]\s*$/;
const attributionLines = 4;
const blockLines = 5;
const labelledLines = 3;
/** Read in one turn of the event loop. */
const turnLines = 1_000;

/** Lines with ">", the attribution before them, and what follows the header block of the message answered. */
export async function quotedText(text: string): Promise<Region[]> {
  const lines = await linesOf(text);
  const block = await headerBlock(lines);
  const regions: Region[] = [];
  for (const [at, { from, to, line }] of lines.entries()) {
    if (at % turnLines === turnLines - 1) await nextTurn();
    if (at === block) return [...regions, [from, text.length]];
    if (!quoteMark.test(line)) continue;
    const isFirst = !quoteMark.test(lines[at - 1]?.line ?? "");
    regions.push([isFirst ? attributionBegin(lines, at) : from, to]);
  }
  return regions;
}

interface Line extends SearchedLine {
  readonly from: number;
  readonly to: number;
}

interface SearchedLine {
  readonly line: string;
}

async function linesOf(text: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end + 1;
    lines.push({ from, to, line: text.slice(from, to).trimEnd() });
    from = to;
    if (lines.length % turnLines === 0) await nextTurn();
  }
  return lines;
}

/** The first line of the message answered; -1 where none is. */
async function headerBlock(lines: readonly SearchedLine[]): Promise<number> {
  const isNamed = (await firstLine(lines, (at) => mentionsReverseAddress((lines[at] as SearchedLine).line))) !== -1;
  return firstLine(lines, (at) => beginsBlock(lines, at) || (isNamed && isAnyLanguagesBlock(lines, at)));
}

async function firstLine(lines: readonly SearchedLine[], isSuch: (at: number) => boolean): Promise<number> {
  for (let at = 0; at < lines.length; at += 1) {
    if (isSuch(at)) return at;
    if (at % turnLines === turnLines - 1) await nextTurn();
  }
  return -1;
}

function beginsBlock(lines: readonly SearchedLine[], at: number): boolean {
  const { line } = lines[at] as SearchedLine;
  if (separator.test(line)) return /_/.test(line) ? hasBlock(lines, at + 1) : true;
  return blockBegin.test(line) && hasFields(lines, at);
}

/** As forwards have it, the author is at a reverse address. */
function isAnyLanguagesBlock(lines: readonly SearchedLine[], at: number): boolean {
  const next = lines.slice(at, at + blockLines).map(({ line }) => line);
  const end = next.findIndex((line) => !labelled.test(line));
  const fields = end === -1 ? next : next.slice(0, end);
  return fields.length >= labelledLines && fields.some(mentionsReverseAddress);
}

function hasBlock(lines: readonly SearchedLine[], from: number): boolean {
  let next = from;
  while (lines[next]?.line === "") next += 1;
  return blockBegin.test(lines[next]?.line ?? "") && hasFields(lines, next);
}

function hasFields(lines: readonly SearchedLine[], at: number): boolean {
  return lines.slice(at + 1, at + 1 + blockLines).filter(({ line }) => blockField.test(line)).length >= 2;
}

/** "On Monday, Ann Lee <…> wrote:", which may be several lines, and an empty line after it. */
function attributionBegin(lines: readonly Line[], quote: number): number {
  let last = quote - 1;
  if ((lines[last]?.line ?? "x") === "") last -= 1;
  if (!attributionEnd.test(lines[last]?.line ?? "")) return (lines[quote] as Line).from;
  let first = last;
  while (first > 0 && last - first + 1 < attributionLines && (lines[first - 1]?.line ?? "") !== "") first -= 1;
  return (lines[first] as Line).from;
}

const tag = /<(\/?)([a-z][a-z0-9]*)\b([^>]*)>/gi;
const classValues = /\bclass\s*=\s*["']?[^"'>]*/gi;
const quotingClass =
  /\b(?:gmail_quote|gmail_attr|moz-cite-prefix|moz-forward-container|yahoo_quoted|protonmail_quote|tutanota_quote)/i;
const idValues = /\bid\s*=\s*["']?[^"'>\s]*/gi;
const quotingId = /divRplyFwdMsg|appendonsend|mail-editor-reference-message/i;
const quotingBorder = /border-top:\s*solid\s+#?[a-z0-9]+\s+1\.0pt/i;
const blockTag = /<(?:div|p|br|td|body)\b[^>]*>/gi;
const attributionCharacters = 1_000;

/** Block quotes and what mail programs wrap the message answered in, with the attribution before it; and what follows a header block. */
export async function quotedHtml(html: string): Promise<Region[]> {
  const lines = await shownLines(html);
  const block = lines[await headerBlock(lines)]?.from;
  const regions = await wrappedHtml(html);
  return block === undefined ? regions : [...regions.filter(([from]) => from < block), [block, html.length]];
}

async function wrappedHtml(html: string): Promise<Region[]> {
  const regions: Region[] = [];
  // Behind the last ">" is no whole tag: looking for the end of each that begins there would take a time that goes with the square.
  const tags = html.slice(0, html.lastIndexOf(">") + 1);
  let end = 0;
  for await (const found of matchesInTurns(tags, tag)) {
    const [whole, slash, name = "", attributes = ""] = found;
    const at = found.index;
    if (at < end || slash === "/") continue;
    if (isQuotingEnd(attributes)) return [...regions, [at, html.length]];
    const isQuote = name.toLowerCase() === "blockquote";
    if (!isQuote && !valuesIn(attributes, classValues).some((value) => quotingClass.test(value))) continue;
    end = (await elementEnd(tags, at + whole.length, name)) ?? html.length;
    regions.push([isQuote ? htmlAttributionBegin(html, at) : at, end]);
  }
  return regions;
}

/** With turns for other work between. @param pattern global */
async function* matchesInTurns(text: string, pattern: RegExp, start = 0): AsyncGenerator<RegExpExecArray> {
  const matches = new RegExp(pattern);
  matches.lastIndex = start;
  let turnAt = start + turnCharacters;
  for (let found = matches.exec(text); found; found = matches.exec(text)) {
    yield found;
    if (found.index < turnAt) continue;
    await nextTurn();
    turnAt = found.index + turnCharacters;
  }
}

function isQuotingEnd(attributes: string): boolean {
  return quotingBorder.test(attributes) || valuesIn(attributes, idValues).some((value) => quotingId.test(value));
}

function valuesIn(attributes: string, pattern: RegExp): readonly string[] {
  return attributes.match(pattern) ?? [];
}

/** Behind the tag that closes an element. */
async function elementEnd(html: string, from: number, name: string): Promise<number | undefined> {
  const same = new RegExp(`<(/?)${name}\\b[^>]*>`, "gi");
  let depth = 1;
  for await (const { 0: whole, 1: slash, index } of matchesInTurns(html, same, from)) {
    depth += slash === "/" ? -1 : 1;
    if (depth === 0) return index + whole.length;
  }
  return undefined;
}

function htmlAttributionBegin(html: string, quote: number): number {
  const before = html.slice(Math.max(0, quote - attributionCharacters), quote);
  const start = quote - before.length;
  let end = before.length;
  for (const { index: begin } of [...before.matchAll(blockTag)].reverse()) {
    const text = before
      .slice(begin, end)
      .replaceAll(/<[^>]*>/g, "")
      .trim();
    if (text !== "") return attributionEnd.test(text) ? start + begin : quote;
    end = begin;
  }
  return quote;
}
