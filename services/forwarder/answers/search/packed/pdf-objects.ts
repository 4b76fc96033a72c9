// Fonts among the objects of PDF: ISO 32000-1 sections 7.3.10, 7.5.7 and 9.6.

import { setImmediate as nextTurn } from "node:timers/promises";
import { type NamedCharacters, namedCharacters } from "./pdf-encodings.ts";

/** A stream of a file without its filters, or what stands between streams. */
export interface PdfPiece {
  readonly bytes: Buffer;
  /** Of a stream, with its number before it. */
  readonly dictionary?: string | undefined;
}

/** A font whose codes are numbers of its glyphs. */
export interface GlyphFont {
  /** For which characters they stand, or the number of the stream that says so. */
  readonly table: number | NamedCharacters;
  /** Octets of a code. */
  readonly width: 1 | 2;
}

interface PdfObject {
  readonly number: number;
  readonly text: string;
}

const keyword = " obj";
const numbersBefore = /(\d{1,10})\s+\d{1,5}$/;
/** The two numbers before the keyword. */
const longestNumbers = 20;
/** Fonts, and what names them, are shorter. */
const longestObject = 64 * 1024;
/** Read in one turn of the event loop. */
const turnObjects = 200;
const reference = /\/([^\s/<>[\](){}%]{1,127})\s+(\d{1,10})\s+\d{1,5}\s+R\b/g;
const toUnicode = /\/ToUnicode\s+(\d{1,10})\s/;
const fontType = /\/Type\s*\/Font\b/;
const encodingReference = /\/Encoding\s+(\d{1,10})\s/;
const composite = /\/Subtype\s*\/Type0\b/;
const objectStream = /\/Type\s*\/ObjStm\b/;
const firstEntry = /\/First\s+(\d{1,10})/;

/** The number of an object that is a stream. */
export function streamNumber({ dictionary = "" }: PdfPiece): number | undefined {
  const [object] = objectsBetween(dictionary);
  return object?.number;
}

/** Such fonts by the names that texts call them; pages may call several the same. In two passes. */
export async function glyphFonts(pieces: readonly PdfPiece[]): Promise<ReadonlyMap<string, readonly GlyphFont[]>> {
  const fonts = await fontsByNumber(pieces);
  const named = new Map<string, Set<GlyphFont>>();
  if (fonts.size > 0)
    await eachObject(pieces, ({ text }) => {
      for (const [, name = "", number] of text.matchAll(reference)) {
        const font = fonts.get(Number(number));
        if (font) named.set(name, (named.get(name) ?? new Set()).add(font));
      }
    });
  return new Map([...named].map(([name, found]) => [name, [...found]]));
}

async function fontsByNumber(pieces: readonly PdfPiece[]): Promise<ReadonlyMap<number, GlyphFont>> {
  const fonts = new Map<number, GlyphFont>();
  const encodings = new Map<number, NamedCharacters>();
  /** The number of its encoding, which may be the font's own. */
  const encoded = new Map<number, number>();
  await eachObject(pieces, ({ number, text }) => {
    const table = toUnicode.exec(text)?.[1];
    if (table) return fonts.set(number, { table: Number(table), width: composite.test(text) ? 2 : 1 });
    const characters = namedCharacters(text);
    if (characters) encodings.set(number, characters);
    if (fontType.test(text)) encoded.set(number, Number(encodingReference.exec(text)?.[1] ?? number));
  });
  const fontsOf = new Map([...encodings].map(([number, table]) => [number, { table, width: 1 } as const]));
  for (const [number, encoding] of encoded) {
    const font = fontsOf.get(encoding);
    if (font && !fonts.has(number)) fonts.set(number, font);
  }
  return fonts;
}

async function eachObject(pieces: readonly PdfPiece[], see: (object: PdfObject) => unknown): Promise<void> {
  let count = 0;
  for (const piece of pieces)
    for (const object of objectsOf(piece)) {
      see(object);
      count += 1;
      if (count % turnObjects === 0) await nextTurn();
    }
}

function* objectsOf({ bytes, dictionary }: PdfPiece): Generator<PdfObject> {
  if (dictionary === undefined) yield* objectsBetween(bytes.toString("latin1"));
  else if (objectStream.test(dictionary))
    yield* objectsWithin(bytes.toString("latin1"), Number(firstEntry.exec(dictionary)?.[1]));
}

function* objectsBetween(text: string): Generator<PdfObject> {
  for (let at = text.indexOf(keyword); at !== -1; ) {
    const next = text.indexOf(keyword, at + keyword.length);
    const [, number] = numbersBefore.exec(text.slice(Math.max(0, at - longestNumbers), at)) ?? [];
    const end = Math.min(next === -1 ? text.length : next, at + longestObject);
    if (number !== undefined) yield { number: Number(number), text: text.slice(at + keyword.length, end) };
    at = next;
  }
}

/** At its beginning stand the numbers of the objects, each with its place. */
function* objectsWithin(text: string, first: number): Generator<PdfObject> {
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number);
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const [number = 0, from = 0, end = text.length] = [numbers[at], numbers[at + 1], numbers[at + 3]];
    const to = Math.min(first + end, first + from + longestObject);
    yield { number, text: text.slice(first + from, to) };
  }
}
