// Fonts of PDF files that say by names for which characters their codes stand: ISO 32000-1 section 9.6.6.

import { CharacterTable, type TableRoom } from "./pdf-characters.ts";

const differences = /\/Differences\s*\[([^\]]*)\]/;
const item = /(\d{1,5})|\/([^\s/<>[\](){}%]{1,40})/g;
/** Of a font whose codes are one octet. */
const lastCode = 0xff;
const [firstOfAscii, lastOfAscii] = [0x20, 0x7e];
/** Of the Adobe Glyph List, what addresses are made of: letters are called as they are. */
const digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const known: Readonly<Record<string, string>> = {
  ...Object.fromEntries(digits.map((name, digit) => [name, String(digit)])),
  ...{ at: "@", period: ".", plus: "+", hyphen: "-", minus: "-", underscore: "_" },
  ...{ ff: "ff", fi: "fi", fl: "fl", ffi: "ffi", ffl: "ffl" },
};

/** Characters by code, where that is not the one of ASCII. */
export type NamedCharacters = ReadonlyMap<number, string>;

/** What an object says of a font; undefined where it says nothing that ASCII does not. */
export function namedCharacters(object: string): NamedCharacters | undefined {
  const characters = new Map<number, string>();
  let code = 0;
  for (const [, number, name = ""] of (differences.exec(object)?.[1] ?? "").matchAll(item)) {
    if (number !== undefined) {
      code = Number(number);
      continue;
    }
    const named = charactersNamed(name);
    if (code <= lastCode && named !== "" && named !== String.fromCharCode(code)) characters.set(code, named);
    code += 1;
  }
  return characters.size === 0 ? undefined : characters;
}

/** Such a font's, with the characters of ASCII for other codes. */
export function namedTable(named: NamedCharacters, room: TableRoom): CharacterTable {
  const table = new CharacterTable(room);
  table.addRange({ begin: firstOfAscii, end: lastOfAscii, characters: " " });
  for (const [code, characters] of named) table.add(code, characters);
  return table;
}

/** As the specification of the Adobe Glyph List parts a name (section 2); "" for characters that stand in no address. */
function charactersNamed(name: string): string {
  const [base = ""] = name.split(".", 1);
  return base
    .split("_")
    .map((part) => known[part] ?? (part.length === 1 ? part : unicodeNamed(part)))
    .join("");
}

function unicodeNamed(name: string): string {
  const [, code] = /^u(?:ni)?([\dA-F]{4})$/.exec(name) ?? [];
  return code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
}
