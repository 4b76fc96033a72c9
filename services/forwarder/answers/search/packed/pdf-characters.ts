// For which characters the codes of a font in a PDF file stand: ISO 32000-1 section 9.10.3.

import { setImmediate as nextTurn } from "node:timers/promises";

/** As many as a text can have; more in one table say nothing. */
const maxCodes = 0x1_0000;

/** Characters by code. */
export type CharacterTable = ReadonlyMap<number, string>;

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

const section = /\bbegin(bfchar|bfrange)\b([\s\S]*?)\bend\1\b/g;
const charRow = /<([\da-f\s]{1,16})>\s*<([\da-f\s]{1,512})>/gi;
const rangeRow = /<([\da-f\s]{1,16})>\s*<([\da-f\s]{1,16})>\s*(?:<([\da-f\s]{1,512})>|\[([^\]]*)\])/gi;
const listed = /<([\da-f\s]{0,512})>/gi;

/** A table as a file has it (a CMap of the kind ToUnicode), with turns of the event loop between its sections. */
export async function characterTable(cmap: Buffer, room: TableRoom): Promise<CharacterTable> {
  const table = new Map<number, string>();
  const add = (code: number, characters: string): boolean => {
    if (code >= maxCodes || !room.take()) return false;
    table.set(code, characters);
    return true;
  };
  for (const [, kind, rows = ""] of cmap.toString("latin1").matchAll(section)) {
    await nextTurn();
    if (kind === "bfchar") {
      for (const [, code = "", characters = ""] of rows.matchAll(charRow)) add(codeOf(code), charactersOf(characters));
    } else for (const row of rows.matchAll(rangeRow)) addRange(row, add);
  }
  return table;
}

function addRange(
  [, from = "", to = "", first, list = ""]: RegExpExecArray,
  add: (code: number, characters: string) => boolean,
): void {
  const [begin, end] = [codeOf(from), codeOf(to)];
  if (first === undefined) {
    let code = begin;
    for (const [, characters = ""] of list.matchAll(listed)) {
      if (code > end || !add(code, charactersOf(characters))) return;
      code += 1;
    }
    return;
  }
  const characters = charactersOf(first);
  const [before, last] = [characters.slice(0, -1), characters.charCodeAt(characters.length - 1)];
  for (let code = begin; code <= end; code += 1)
    if (!add(code, before + String.fromCharCode(last + code - begin))) return;
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
