// The lexical tokens of structured header fields: RFC 5322 section 3.2, obsolete forms of section 4.1, RFC 6532 section 3.2.

import { Cursor, isFoldingSpace } from "../cursor.ts";

type TokenKind = "atom" | "quoted-string" | "domain-literal" | "comment" | "special";

export interface Token {
  readonly kind: TokenKind;
  /** What it means: of a quoted string and a comment the content, its quoted pairs undone; of a literal all of it. */
  readonly text: string;
  /** Whether white space or a comment stands before it. */
  readonly isSpaced: boolean;
}

interface Tokens {
  readonly tokens: readonly Token[];
  /** False where a quoted string, comment or literal lacks its end, or a character stands where none may. */
  readonly isWellFormed: boolean;
  /** Characters that were looked at. */
  readonly steps: number;
}

/** An encoded-word (RFC 2047 section 2) is one atom, even where it has a comma in it. */
const encodedWord = /=\?[^?\s"()<>]{1,100}\?[bq]\?[^?\s"<>@]*\?=/iy;
const specials = /[()<>[\]:;@\\,."]/;
const atomText = Uint8Array.from({ length: 0x80 }, (_, code) =>
  code > 0x20 && code < 0x7f && !specials.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Takes an unfolded body apart. Never fails; takes a time that goes with the length of the body. */
export function tokenize(body: string): Tokens {
  const tokenizer = new Tokenizer(body);
  while (!tokenizer.isAtEnd) tokenizer.readNext();
  return tokenizer.result();
}

class Tokenizer {
  readonly #cursor: Cursor;
  readonly #tokens: Token[] = [];
  /** Openings whose closing was looked for up to the end, and found missing: it is not looked for again. */
  readonly #unclosed = new Set<string>();
  #isWellFormed = true;
  #isSpaced = false;
  /** Characters looked at beside those that the cursor passed. */
  #steps = 0;

  constructor(body: string) {
    this.#cursor = new Cursor(body);
  }

  get isAtEnd(): boolean {
    return this.#cursor.isAtEnd;
  }

  result(): Tokens {
    return { tokens: this.#tokens, isWellFormed: this.#isWellFormed, steps: this.#steps + this.#cursor.steps };
  }

  readNext(): void {
    if (this.#cursor.takeWhile(isFoldingSpace) !== "") this.#isSpaced = true;
    if (this.isAtEnd) return;
    const first = this.#cursor.peek();
    if (first === '"' && this.#readEnclosed("quoted-string", '"', '"')) return;
    if (first === "(" && this.#readEnclosed("comment", "(", ")")) return;
    if (first === "[" && this.#readEnclosed("domain-literal", "[", "]")) return;
    if (first === "=" && this.#readEncodedWord()) return;
    const atom = this.#cursor.takeWhile(isAtomText);
    if (atom !== "") this.#push("atom", atom);
    else this.#readSpecial();
  }

  /** False if the end is missing: then its beginning is a character like others. */
  #readEnclosed(kind: TokenKind, open: string, close: string): boolean {
    if (this.#unclosed.has(open)) return false;
    const inner = new Cursor(this.#cursor.text, this.#cursor.at + 1);
    const text = readContent(inner, kind === "comment" ? open : "", close);
    this.#steps += inner.steps;
    if (text === undefined) {
      this.#unclosed.add(open);
      this.#isWellFormed = false;
      return false;
    }
    this.#cursor.jumpTo(inner.at);
    this.#push(kind, kind === "domain-literal" ? `[${text}]` : text);
    return true;
  }

  #readEncodedWord(): boolean {
    encodedWord.lastIndex = this.#cursor.at;
    const [word] = encodedWord.exec(this.#cursor.text) ?? [];
    if (word === undefined) return false;
    this.#cursor.jumpTo(this.#cursor.at + word.length);
    this.#push("atom", word);
    // A phrase may not have these unquoted (RFC 2047 section 5, rule 3): others may read an address in it.
    if (specials.test(word)) this.#isWellFormed = false;
    return true;
  }

  #readSpecial(): void {
    const character = this.#cursor.next();
    if (!"<>@,;:.".includes(character)) this.#isWellFormed = false;
    this.#push("special", character);
  }

  #push(kind: TokenKind, text: string): void {
    this.#tokens.push({ kind, text, isSpaced: this.#isSpaced });
    this.#isSpaced = kind === "comment";
  }
}

/** atext: printable characters but the specials; all that is not ASCII (RFC 6532). */
function isAtomText(code: number): boolean {
  return code > 0x7f || atomText[code] === 1;
}

/** Up to the end, which is left behind; undefined if there is none. @param nested what opens another level; "" if nothing does */
function readContent(cursor: Cursor, nested: string, close: string): string | undefined {
  const ends = `\\${nested}${close}`;
  let text = "";
  for (let depth = 1; !cursor.isAtEnd; ) {
    text += cursor.takeWhile((code) => !ends.includes(String.fromCharCode(code)));
    const character = cursor.next();
    if (character === close) depth -= 1;
    else if (character !== "" && character === nested) depth += 1;
    if (depth === 0) return text;
    text += character === "\\" ? cursor.next() : character;
  }
  return undefined;
}
