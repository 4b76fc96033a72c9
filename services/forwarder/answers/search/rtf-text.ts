// RTF (Rich Text Format Specification 1.9.1): texts with controls between their characters.

import { setImmediate as nextTurn } from "node:timers/promises";

const token =
  /\\'(?<octet>[\da-f]{2})|\\u(?<code>-?\d{1,6}) ?|\\uc(?<skipped>\d{1,2}) ?|\\(?<word>[a-z]{1,32})(?:-?\d{1,10})? ?|\\(?<symbol>[^a-z])|(?<brace>[{}])|[\r\n]+|(?<text>[^\\{}\r\n]+)/gi;
const beginningBytes = 64;
/** Read in one turn of the event loop. */
const turnTokens = 20_000;
const breaks = new Set(["par", "line", "tab", "cell", "row", "sect", "page"]);
const symbols: Readonly<Record<string, string>> = { "\\": "\\", "{": "{", "}": "}", _: "-", "~": " ", "\n": "\n" };

/** What a document shows, without its controls and groups, with its escapes undone; undefined for what is no RTF. In one pass. */
export async function rtfText(bytes: Buffer): Promise<string | undefined> {
  if (!/^\s*\{\\rtf/.test(bytes.toString("latin1", 0, beginningBytes))) return undefined;
  const shown = new ShownText();
  let tokens = 0;
  for (const { groups = {} } of bytes.toString("latin1").matchAll(token)) {
    tokens += 1;
    if (tokens % turnTokens === 0) await nextTurn();
    const { octet, code, skipped, word, symbol, brace, text } = groups;
    if (code !== undefined) shown.addCharacter(Number(code) & 0xffff);
    else if (skipped !== undefined) shown.setReplaced(Number(skipped));
    else if (brace !== undefined) shown.seeBrace(brace);
    else shown.add(text ?? shownFor({ octet, word, symbol }));
  }
  return shown.text;
}

function shownFor({ octet, word, symbol }: Readonly<Record<string, string | undefined>>): string {
  if (octet !== undefined) return String.fromCharCode(Number.parseInt(octet, 16));
  if (word !== undefined) return breaks.has(word) ? "\n" : "";
  return symbols[symbol ?? ""] ?? "";
}

class ShownText {
  text = "";
  /** How many characters stand after one of Unicode for programs that do not know it; each group has as many as the one around it. */
  readonly #replaced = [1];
  /** Of these, what is not yet passed over. */
  #left = 0;

  add(shown: string): void {
    const from = Math.min(this.#left, shown.length);
    this.#left -= from;
    this.text += shown.slice(from);
  }

  addCharacter(code: number): void {
    this.text += String.fromCharCode(code);
    this.#left = this.#replaced.at(-1) ?? 1;
  }

  setReplaced(count: number): void {
    this.#replaced[this.#replaced.length - 1] = count;
  }

  seeBrace(brace: string): void {
    this.#left = 0;
    if (brace === "{") this.#replaced.push(this.#replaced.at(-1) ?? 1);
    else if (this.#replaced.length > 1) this.#replaced.pop();
  }
}
