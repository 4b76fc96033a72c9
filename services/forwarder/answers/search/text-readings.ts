import { decodeCharset } from "../../../message/coding/charset.ts";
import { decodeFlowed } from "../../../message/coding/flowed.ts";
import type { Content } from "../../../message/mime/content.ts";
import { withoutEntities } from "./address-search.ts";
import { type Callbacks, readTokensInTurns } from "./markup-tokens.ts";
import { changedInTurns } from "./pieces.ts";

/** What HTML shows, and where each of its characters stands in the source. */
interface ShownHtml {
  readonly text: string;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** A line that HTML shows, and where it begins in the source. */
interface ShownLine {
  readonly line: string;
  readonly from: number;
}

/** Tags that do not part what is beside them. */
const inlineTag =
  /^(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|label|mark|nobr|o:p|q|s|samp|small|span|st1:\w+|strike|strong|sub|sup|tt|u|var|wbr)$/i;
const longestTag = 20;
/** An element that styles hide, such as one within an address that is to be kept from programs that collect them. */
const hiddenElement =
  /<([a-z][\w:]{0,20})\b[^<>]{0,500}(?:display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden|font-size\s{0,5}:\s{0,5}0)[^<>]{0,500}>[^<>]*(?:<(?!\/\1\b)[^<>]*>[^<>]*){0,20}<\/\1\s{0,5}>/gi;
/** What is in a text and nobody sees. */
export const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\s]/gu;

/** What is in a part of text: as it stands, and with its lines put together where they are flowed (RFC 3676). */
export function textsOf(bytes: Buffer, { type, charset, isFlowed, deletesSpaces }: Content): string[] {
  const text = decodeCharset(bytes, charset ?? "") ?? bytes.toString("latin1");
  if (!isFlowed || type !== "text/plain" || !/ \r?\n/.test(text)) return [text];
  return [text, decodeFlowed(text.replaceAll("\r\n", "\n"), deletesSpaces)];
}

/** The readings of what is in a part of text: see `isReadAs`. */
export async function* partReadings(bytes: Buffer, content: Content): AsyncGenerator<string> {
  for (const text of textsOf(bytes, content)) yield* readingsOf(text);
}

/**
 * The ways that programs may read a text and quote it: as it is, and as what is left of HTML without tags, references and invisible
 * characters, and of elements that styles hide; each also as it is in a URL. One at a time, since each is as long as the text, and of a long one
 * other work has its turns.
 */
export async function* readingsOf(text: string): AsyncGenerator<string> {
  for (const reading of [asItIs, allReferences, withoutTags, shownText, withoutHidden]) {
    const read = await reading(text);
    if (read === text && reading !== asItIs) continue;
    yield read;
    const decoded = await allReferences(await percentDecoded(read));
    if (decoded !== read) yield decoded;
  }
}

/**
 * As browsers part tags and comments from text, in one pass. Other tags than those within a line are line breaks: programs make such tags
 * of the lines of a plain text, and what is replaced over two of its lines would be a guess that nothing found in it.
 */
export async function shownHtml(html: string): Promise<ShownHtml> {
  const from = new Uint32Array(html.length);
  const to = new Uint32Array(html.length);
  let text = "";
  await readShown(html, (shown, begin, end) => {
    const isAsItStands = shown.length === end - begin;
    for (let at = 0; at < shown.length; at += 1) {
      from[text.length + at] = isAsItStands ? begin + at : begin;
      to[text.length + at] = isAsItStands ? begin + at + 1 : end;
    }
    text += shown;
  });
  return { text, from, to };
}

/** The lines that HTML shows, blank ones left out. Tags begin them; a line end of the source is a space in one. */
export async function shownLines(html: string): Promise<ShownLine[]> {
  const lines: ShownLine[] = [];
  let [line, from] = ["", 0];
  const endLine = (): void => {
    if (line !== "") lines.push({ line: line.trimEnd(), from });
    line = "";
  };
  await readShown(html, (shown, begin, end) => {
    if (shown === "\n" && html[begin] !== "\n") return endLine();
    if (line === "") {
      const first = shown.search(/\S/);
      if (first === -1) return;
      from = shown.length === end - begin ? begin + first : begin;
    }
    line += shown;
  });
  endLine();
  return lines;
}

async function shownText(html: string): Promise<string> {
  let text = "";
  await readShown(html, (shown) => {
    text += shown;
  });
  return text;
}

/** @param show is given what is shown in order: pieces as they stand, references, and line breaks that stand for a tag */
function readShown(html: string, show: Show): Promise<void> {
  return readTokensInTurns(html, "html", shownTokens(html, show));
}

type Show = (shown: string, begin: number, end: number) => void;

function shownTokens(html: string, show: Show): Partial<Callbacks> {
  const seeTag = (begin: number, end: number): void => {
    if (!inlineTag.test(html.slice(begin, Math.min(end, begin + longestTag)))) show("\n", begin, end);
  };
  return {
    ontext(begin, end) {
      const text = html.slice(begin, end);
      // Most texts have none, and there are as many as tags.
      if (text.search(invisible) === -1) return show(text, begin, end);
      let at = begin;
      for (const { 0: found, index } of text.matchAll(invisible)) {
        show(html.slice(at, begin + index), at, begin + index);
        at = begin + index + found.length;
      }
      show(html.slice(at, end), at, end);
    },
    onopentagname: seeTag,
    onclosetag: seeTag,
    ontextentity(code, end) {
      const character = String.fromCodePoint(code).replaceAll(invisible, "");
      show(character, html.lastIndexOf("&", end - 1), end);
    },
  };
}

function asItIs(text: string): string {
  return text;
}

async function withoutHidden(html: string): Promise<string> {
  const left = html.replaceAll(hiddenElement, "");
  return left === html ? html : shownText(left);
}

/** Some programs take whatever stands in angle brackets for a tag. */
async function withoutTags(html: string): Promise<string> {
  const left = await changedInTurns(html, /</g, (piece) => piece.replaceAll(/<[^<>]*>/g, ""));
  const read = await allReferences(left);
  return changedInTurns(read, /[^\udc00-\udfff]/g, (piece) => piece.replaceAll(invisible, ""));
}

function percentDecoded(text: string): Promise<string> {
  return changedInTurns(text, /%/g, (piece) =>
    piece.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  );
}

/** Those of letters outside of ASCII as well: some are a letter of ASCII in the other case. */
function allReferences(text: string): Promise<string> {
  return changedInTurns(text, /&/g, allReferencesIn);
}

function allReferencesIn(text: string): string {
  return withoutEntities(text).replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (whole, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0x7f && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
