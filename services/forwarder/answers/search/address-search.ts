import { setImmediate as nextTurn } from "node:timers/promises";
import { addressSpellings, splitAddress } from "../../../message/address/addr-spec.ts";
import { mentionsReverseAddress, reverseMentionCharacters } from "../../../message/address/reverse-address.ts";
import { isAscii } from "../../../message/coding/ascii.ts";
import { IdentityDecoder } from "../../../message/coding/decoder.ts";
import { decodeEncodedWords } from "../../../message/coding/encoded-words.ts";
import { transferDecoder } from "../../../message/coding/transfer-encoding.ts";

/** Bytes searched in one turn of the event loop; neighbours overlap, so that nothing falls between two. */
const windowBytes = 64 * 1024;
const overlapBytes = 8 * 1024;
/** Encodings within encodings that are undone. */
const depthLimit = 3;

const entities: Readonly<Record<string, string>> = {
  commat: "@",
  period: ".",
  plus: "+",
  lowbar: "_",
  UnderBar: "_",
  hyphen: "-",
  dash: "-",
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
};

const otherForms = /[\u2024\u24b6-\u24e9\u3002\ufe52\ufe63\ufe6b\uff01-\uff5e\uff61\u{1d400}-\u{1d7ff}]+/gu;

type Undo = (text: string) => string | undefined;

/** Each gives the text without one way of encoding; undefined where there is nothing to undo. */
const encodings: readonly Undo[] = [
  (text) => (text.includes("%") ? text.replaceAll(/%([\da-f]{2})/gi, byteOf) : undefined),
  (text) =>
    text.includes("=") ? text.replaceAll(/=[ \t]*\r?\n/g, "").replaceAll(/=([\da-f]{2})/gi, byteOf) : undefined,
  (text) => (text.includes("&") ? withoutEntities(text) : undefined),
  (text) => (text.includes("\\") ? text.replaceAll(/\\(?:u00|x)([\da-f]{2})/gi, byteOf) : undefined),
  // Markdown, and values of vCard and iCalendar (RFC 6350 section 3.4).
  (text) => (text.includes("\\") ? text.replaceAll(/\\([@.+_-])/g, "$1") : undefined),
  (text) => (text.includes("=?") ? latin1(decodeEncodedWords(text)) : undefined),
  // UTF-16 of either order, and text that is as wide: every other octet is NUL.
  (text) => (text.includes("\0") ? text.replaceAll("\0", "") : undefined),
  (text) => (/\r?\n[ \t]/.test(text) ? text.replaceAll(/\r?\n[ \t]+/g, "") : undefined),
];

const encodedWord = /=\?[^?\s]{1,200}\?[bq]\?/i;
const base64Run = /[A-Za-z0-9+/_-]+(?:\r?\n[ \t>]*[A-Za-z0-9+/_-]+)*/g;
const notBase64 = /[^A-Za-z0-9+/_-]+/g;

/** Addresses in one form, looked for in texts of the same form. */
class Needles {
  readonly all: readonly string[];
  /** Other people's addresses with one of them in it, such as joann@home.example beside ann@home.example. */
  readonly #others: readonly string[];

  constructor(addresses: readonly string[], others: readonly string[]) {
    this.all = [...new Set(addresses)];
    this.#others = [...new Set(others)].filter(
      (each) => !this.all.includes(each) && this.all.some((needle) => each.includes(needle)),
    );
  }

  /** @param text in lower case */
  areIn(text: string): boolean {
    const left = this.#others.reduce((rest, other) => rest.replaceAll(other, ""), text);
    return this.all.some((needle) => left.includes(needle));
  }
}

/** Looks for addresses, and for reverse addresses of anybody, in bytes, in whatever letter case and encoding they stand there, and in texts. */
export class AddressSearch {
  readonly #inBytes: Needles;
  readonly #inText: Needles;
  /** Letters beyond ASCII have another letter case in a text than in its bytes. */
  readonly #isWide: boolean;
  readonly #shortestRun: number;
  /** What may have an address in it; undefined where any text may. */
  readonly #asciiRuns: RegExp | undefined;

  constructor(addresses: readonly string[], others: readonly string[] = []) {
    const whole = addresses.filter((address) => address.includes("@"));
    this.#inBytes = new Needles(whole.flatMap(spellingsInBytes), others.flatMap(spellingsInBytes));
    this.#inText = new Needles(whole.flatMap(allSpellings), others.flatMap(addressSpellings));
    this.#isWide = !this.#inText.all.every(isAscii);
    const shortest = Math.min(reverseMentionCharacters, ...this.#inBytes.all.map(({ length }) => length));
    this.#shortestRun = Math.ceil((shortest * 4) / 3) - 2;
    const isAsciiAlone = !this.#isWide && others.flatMap(addressSpellings).every(isAscii);
    this.#asciiRuns = isAsciiAlone ? new RegExp(`[\\0-\\x7f]{${shortest},}`, "g") : undefined;
  }

  /** Whether a reading of a text shows one of the addresses, as it is or in letters that are only another look of ASCII's. */
  isShownIn(text: string): boolean {
    const plain = inPlainLetters(text);
    return this.#isNamedIn(text) || (plain !== text && this.#isNamedIn(plain));
  }

  /** Whether one of the addresses is in there: raw, UTF-16, quoted-printable, percent-encoded, base64 at any offset … */
  async isIn(bytes: Buffer): Promise<boolean> {
    for (let at = 0; at < bytes.length; at += windowBytes - overlapBytes) {
      if (this.#isInAnyRun(bytes.toString("latin1", at, at + windowBytes), depthLimit)) return true;
      if (at + windowBytes >= bytes.length) break;
      await nextTurn();
    }
    return false;
  }

  /**
   * An address in ASCII is ASCII in every encoding that is undone, so that of pictures and of what is compressed next to nothing is looked at
   * more than once. Encoded words alone may have other octets in them, which decoders leave out.
   */
  #isInAnyRun(text: string, depth: number): boolean {
    if (!this.#asciiRuns || encodedWord.test(text)) return this.#isInText(text, depth);
    for (const [run] of text.matchAll(this.#asciiRuns)) if (this.#isInText(run, depth)) return true;
    return false;
  }

  #isNamedIn(text: string): boolean {
    return this.#inText.areIn(text.toLowerCase()) || mentionsReverseAddress(text);
  }

  #isInText(text: string, depth: number): boolean {
    if (this.#inBytes.areIn(text.toLowerCase()) || mentionsReverseAddress(text)) return true;
    if (this.#isWide && [text, asUtf8(text)].some((each) => this.isShownIn(each))) return true;
    if (depth === 0) return false;
    if (this.#isInBase64(text, depth)) return true;
    return encodings.some((undo) => {
      const undone = undo(text);
      return undone !== undefined && undone !== text && this.#isInText(undone, depth - 1);
    });
  }

  #isInBase64(text: string, depth: number): boolean {
    for (const [run] of text.matchAll(base64Run)) {
      if (run.length < this.#shortestRun) continue;
      const letters = run.replace(notBase64, "");
      for (let offset = 0; offset < 4; offset += 1) {
        const decoded = Buffer.from(letters.slice(offset), "base64").toString("latin1");
        if (this.#isInAnyRun(decoded, Math.min(depth - 1, 1))) return true;
      }
    }
    return false;
  }
}

/** The body of an entity without its transfer encoding, with turns of the event loop for other work. @param encoding in lower case */
export async function decodedBody(body: Buffer, encoding: string): Promise<Buffer> {
  const decoder = transferDecoder(encoding);
  if (decoder instanceof IdentityDecoder) return body;
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += windowBytes) {
    if (at > 0) await nextTurn();
    pieces.push(decoder.write(body.subarray(at, at + windowBytes)));
  }
  return Buffer.concat([...pieces, decoder.end()]);
}

/** The same in addresses for what comes back as well, of lists (VERP) and of forwarders (SRS): `olive=home.example@`, `home.example=olive@`. */
function allSpellings(address: string): string[] {
  return addressSpellings(address).flatMap((spelling) => {
    const { localPart, domain } = splitAddress(spelling);
    return [spelling, `${localPart}=${domain}@`, `${domain}=${localPart}@`];
  });
}

/** Full width, small and mathematical forms, which Unicode's NFKC makes plain, and what stands for a dot in domains (UTS 46 section 2.3). */
function inPlainLetters(text: string): string {
  return text.replaceAll(otherForms, (run) => run.normalize("NFKC").replaceAll("\u3002", "."));
}

/** UTF-8, a character a byte: of them those of Latin-1 are lowered, in texts as here. */
function spellingsInBytes(address: string): string[] {
  return allSpellings(address).map((each) => latin1(each).toLowerCase());
}

/** Of a window that may begin or end within a character: what is none becomes U+FFFD. */
function asUtf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function byteOf(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** @returns the same with the character references of ASCII undone (HTML section 13.5) */
export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,10}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name as string] ?? entities[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code < 0x80 ? String.fromCharCode(code) : whole;
  });
}
