// Text of PDF that is in numbers of glyphs, as programs export it: ISO 32000-1 section 9.4.

import { type CharacterTable, characterTable, TableRoom } from "./pdf-characters.ts";
import { namedTable } from "./pdf-encodings.ts";
import { type GlyphFont, glyphFonts, type PdfPiece, streamNumber } from "./pdf-objects.ts";
import { pdfStrings } from "./pdf-strings.ts";

/** Of all readings of a file: most have one. */
const maxCharacters = 16 * 1024 * 1024;
/** Octets that are looked at for them: contents may be long and show little. */
const maxReadBytes = 64 * 1024 * 1024;
/** The choice of a font, and what saves and restores it (sections 9.3 and 8.4.2). */
const fontOperator = /\/([^\s/<>[\](){}%]{1,127})\s+[-+.\d]{1,20}\s+Tf\b|(?<!\S)([qQ])(?!\S)/g;
/** Between two strings that are moved closer together stand numbers alone. */
const shortestOperator = 3;
const maxSaved = 100;

interface ShownText {
  readonly text: Buffer;
  /** False where there is more than is read. */
  readonly isWhole: boolean;
}

interface Font {
  readonly table: CharacterTable;
  readonly width: 1 | 2;
}

/**
 * What a file shows in fonts that have a table of their characters, with what stands beside it in others; once more for each further font of
 * the same name. None where it has no such fonts.
 */
export async function* glyphTexts(pieces: readonly PdfPiece[]): AsyncGenerator<ShownText> {
  const named = await glyphFonts(pieces);
  if (named.size === 0) return;
  const room = new TableRoom();
  const fonts = await fontsByName(pieces, named, room);
  const readings = Math.max(...[...named.values()].map(({ length }) => length));
  const contents = pieces.filter(isContent);
  const contentBytes = contents.reduce((sum, { bytes }) => sum + bytes.length, 0);
  let [left, bytesLeft] = [maxCharacters, maxReadBytes];
  for (let reading = 0; reading < readings; reading += 1) {
    const text = await readingOf(contents, left, (name) => {
      const found = fonts.get(name) ?? [];
      return found[Math.min(reading, found.length - 1)];
    });
    left -= text.length;
    bytesLeft -= contentBytes;
    const isEnd = left <= 0 || (bytesLeft <= 0 && reading + 1 < readings);
    yield { text: Buffer.from(text.normalize("NFKC"), "utf8"), isWhole: !(isEnd || room.isExceeded) };
    if (isEnd) return;
  }
}

async function fontsByName(
  pieces: readonly PdfPiece[],
  named: ReadonlyMap<string, readonly GlyphFont[]>,
  room: TableRoom,
): Promise<ReadonlyMap<string, readonly Font[]>> {
  const tables = await tablesOf(pieces, named, room);
  return new Map(
    [...named].map(([name, fonts]) => [
      name,
      fonts.flatMap(({ table, width }) => {
        const found = typeof table === "number" ? tables.get(table) : namedTable(table, room);
        return found ? [{ table: found, width }] : [];
      }),
    ]),
  );
}

async function tablesOf(
  pieces: readonly PdfPiece[],
  named: ReadonlyMap<string, readonly GlyphFont[]>,
  room: TableRoom,
): Promise<Map<number, CharacterTable>> {
  const wanted = new Set([...named.values()].flat().map(({ table }) => table));
  const tables = new Map<number, CharacterTable>();
  for (const piece of pieces) {
    const number = streamNumber(piece);
    const isMissing = number !== undefined && wanted.has(number) && (tables.get(number)?.isEmpty ?? true);
    if (isMissing) tables.set(number, await characterTable(piece.bytes, room));
  }
  return tables;
}

/** The strings of contents in their order, each in the font that was chosen for it. */
async function readingOf(contents: readonly PdfPiece[], room: number, fontOf: FontOf): Promise<string> {
  const state = new FontState(fontOf);
  let text = "";
  for (const { bytes } of contents) {
    let read = 0;
    for await (const { from, to, value } of pdfStrings(bytes)) {
      if (from - read >= shortestOperator) state.read(bytes.toString("latin1", read, from));
      read = to;
      text += shownIn(value, state.font);
      if (text.length >= room) return text.slice(0, room);
    }
    text += "\n";
  }
  return text;
}

function isContent({ bytes, dictionary }: PdfPiece): boolean {
  return dictionary !== undefined && bytes.includes("Tf");
}

type FontOf = (name: string) => Font | undefined;

class FontState {
  font: Font | undefined;
  readonly #saved: (Font | undefined)[] = [];
  readonly #fontOf: FontOf;

  constructor(fontOf: FontOf) {
    this.#fontOf = fontOf;
  }

  /** What stands between two strings. */
  read(operators: string): void {
    for (const [, name, graphics] of operators.matchAll(fontOperator)) {
      if (name !== undefined) this.font = this.#fontOf(name);
      else if (graphics === "Q") this.font = this.#saved.pop();
      else if (this.#saved.length < maxSaved) this.#saved.push(this.font);
    }
  }
}

function shownIn(codes: Buffer, font: Font | undefined): string {
  if (!font) return codes.toString("latin1");
  let shown = "";
  for (let at = 0; at + font.width <= codes.length; at += font.width)
    shown += font.table.charactersOf(codes.readUIntBE(at, font.width)) ?? "\ufffd";
  return shown;
}
