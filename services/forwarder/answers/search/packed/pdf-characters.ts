// For which characters the codes of a font in a PDF file stand: ISO 32000-1 section 9.10.3.

import { setImmediate as nextTurn } from "node:timers/promises";

/** As many as a text can have; more in one table say nothing. */
const maxCodes = 0x1_0000;
/** Ranges of more codes stay ranges: some tables are all of Unicode. */
const narrowRange = 256;
const maxWideRanges = 16;

/** The codes of a range, and the characters of its first one. */
interface Range {
  readonly begin: number;
  readonly end: number;
  readonly characters: string;
}

/** Characters by code. */
export class CharacterTable {
  readonly #characters = new Map<number, string>();
  readonly #wide: Range[] = [];
  readonly #room: TableRoom;

  constructor(room: TableRoom) {
    this.#room = room;
  }

  get isEmpty(): boolean {
    return this.#characters.size + this.#wide.length === 0;
  }

  charactersOf(code: number): string | undefined {
    const known = this.#characters.get(code);
    if (known !== undefined) return known;
    const range = this.#wide.find(({ begin, end }) => begin <= code && code <= end);
    return range && charactersIn(range, code);
  }

  /** @returns whether more are taken */
  add(code: number, characters: string): boolean {
    if (!(code < maxCodes && this.#room.take())) return false;
    this.#characters.set(code, characters);
    return true;
  }

  addRange(range: Range): void {
    if (range.end - range.begin >= narrowRange && this.#wide.length < maxWideRanges) this.#wide.push(range);
    else
      for (let code = range.begin; code <= range.end; code += 1) if (!this.add(code, charactersIn(range, code))) return;
  }
}

/** What is worked out of all tables of a file. */
export class TableRoom {
  /** Codes of four of the largest fonts. */
  #left = 4 * maxCodes;

  /** False where there are too many. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }

  get isExceeded(): boolean {
    return this.#left < 0;
  }
}

/** Read in one turn of the event loop. */
const turnRows = 1_000;
const sectionMark = /\b(?:begin|end)bf(?:char|range)\b/g;
const charRow = /<([\da-f\s]{1,16})>\s*<([\da-f\s]{1,512})>/gi;
const rangeRow = /<([\da-f\s]{1,16})>\s*<([\da-f\s]{1,16})>\s*(?:<([\da-f\s]{1,512})>|\[([^[\]]*)\])/gi;
const listed = /<([\da-f\s]{0,512})>/gi;

/** A table as a file has it (a CMap of the kind ToUnicode), with turns of the event loop for other work. */
export async function characterTable(cmap: Buffer, room: TableRoom): Promise<CharacterTable> {
  const table = new CharacterTable(room);
  for (const { mark, rows } of sectionsOf(cmap.toString("latin1"))) {
    await nextTurn();
    if (mark === "beginbfchar")
      await eachRow(rows, charRow, ([, code = "", characters = ""]) =>
        table.add(codeOf(code), charactersOf(characters)),
      );
    else if (mark === "beginbfrange") await eachRow(rows, rangeRow, (row) => addRange(row, table));
  }
  return table;
}

async function eachRow(rows: string, pattern: RegExp, see: (row: RegExpExecArray) => void): Promise<void> {
  let count = 0;
  for (const row of rows.matchAll(pattern)) {
    see(row);
    count += 1;
    if (count % turnRows === 0) await nextTurn();
  }
}

/** What stands between two marks, with the first of them. */
function* sectionsOf(text: string): Generator<{ mark: string; rows: string }> {
  let [mark, from] = ["", 0];
  for (const { 0: found, index } of text.matchAll(sectionMark)) {
    yield { mark, rows: text.slice(from, index) };
    [mark, from] = [found, index + found.length];
  }
}

function addRange([, from = "", to = "", first, list = ""]: RegExpExecArray, table: CharacterTable): void {
  const [begin, end] = [codeOf(from), codeOf(to)];
  if (first !== undefined) table.addRange({ begin, end, characters: charactersOf(first) });
  let code = begin;
  for (const [, characters = ""] of list.matchAll(listed)) {
    if (code > end || !table.add(code, charactersOf(characters))) return;
    code += 1;
  }
}

/** The last character counts on. */
function charactersIn({ begin, characters }: Range, code: number): string {
  const last = characters.charCodeAt(characters.length - 1);
  return characters.slice(0, -1) + String.fromCharCode(last + code - begin);
}

function codeOf(digits: string): number {
  return Number.parseInt(digits.replaceAll(/\s/g, ""), 16);
}

/** UTF-16; a ligature is several. */
function charactersOf(digits: string): string {
  const octets = Buffer.from(digits.replaceAll(/\s/g, ""), "hex");
  if (octets.length === 1) return octets.toString("latin1");
  return octets
    .subarray(0, octets.length & ~1)
    .swap16()
    .toString("utf16le");
}
