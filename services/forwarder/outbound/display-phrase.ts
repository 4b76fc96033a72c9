// Display names of our making: phrases (RFC 5322 section 3.2.5) in header fields that we fold.

import { encodeWords } from "nodemailer/lib/mime-funcs";
import type { Mailbox } from "../../message/address/address-list.ts";
import { isPrintableAscii } from "../../message/coding/ascii.ts";
import type { HeaderField } from "../../message/header/fields.ts";
import { withoutOwnAddresses } from "./own-addresses.ts";

const lineLimit = 76;
/** Octets of one word: RFC 5322 section 2.1.1 allows 998 a line. */
const wordLimit = 400;
const wordsLimit = 200;

/** An encoded-word that may stand in a phrase (RFC 2047 section 5, rule 3). */
const encodedWord = /^=\?[\w!#$%&'*+^`{}~-]+\?(?:b\?[a-z\d+/=]*|q\?[a-z\d!*+/=_-]*)\?=$/i;

/** A display name as words of a phrase, with no address of ours in it. */
export function phraseOf(text: string, ownDomains: readonly string[]): string[] {
  const words = wordsOf(text);
  const cleaned = withoutOwnAddresses(Buffer.from(words.join(" "), "latin1").toString("utf8"), ownDomains);
  if (cleaned === undefined) return quotedStrings(words);
  // What was encoded before may be a control character, which the composer leaves as it is.
  const shown = cleaned.replace(/\p{Cc}/gu, " ");
  return quotedStrings(wordsOf(isPrintableAscii(shown) ? shown : encodeWords(shown, "Q", 52)));
}

function wordsOf(text: string): string[] {
  const words = wordsBetweenBlanks(text);
  return words.slice(0, wordsLimit).map((word) => (encodedWord.test(word) ? word : truncateWord(word)));
}

/** Of ASCII alone: as octets, \xa0 is half of a letter. */
function wordsBetweenBlanks(text: string): string[] {
  return text.split(/[\t-\r ]+/).filter((word) => word !== "");
}

/** Encoded-words stay; what is between them becomes quoted strings. */
function quotedStrings(words: readonly string[]): string[] {
  return words.map((word, at) => {
    if (encodedWord.test(word)) return word;
    const opens = at === 0 || encodedWord.test(words[at - 1] ?? "");
    const closes = at === words.length - 1 || encodedWord.test(words[at + 1] ?? "");
    return `${opens ? '"' : ""}${word.replace(/["\\]/g, "\\$&")}${closes ? '"' : ""}`;
  });
}

/** A mailbox as text of a phrase: "Ann Lee (ann at shop.example)". */
export function formatMailbox({ displayName, localPart, domain }: Mailbox): string {
  const place = domain === "" ? localPart : `${localPart} at ${domain}`;
  if (place === "") return printable(displayName);
  const isNamed = displayName !== "" && displayName !== `${localPart}@${domain}`;
  return printable(isNamed ? `${displayName} (${place})` : place);
}

function printable(text: string): string {
  return wordsBetweenBlanks(text.replace(/\p{Cc}/gu, (control) => (control > "\x7f" ? control : " "))).join(" ");
}

/** Shortens a word, but not within a UTF-8 character. */
function truncateWord(word: string): string {
  if (word.length <= wordLimit) return word;
  let end = wordLimit;
  while (end > 0 && /[\x80-\xbf]/.test(word[end] ?? "")) end -= 1;
  return word.slice(0, end);
}

/** Within a quoted string a fold means the space after it (RFC 5322 section 3.2.4). */
export function foldedField(name: string, words: readonly string[]): HeaderField {
  let raw = `${name}:`;
  let lineLength = raw.length;
  for (const word of words) {
    const isLong = lineLength + word.length + 1 > lineLimit && lineLength > name.length + 1;
    raw += isLong ? `\r\n ${word}` : ` ${word}`;
    lineLength = isLong ? word.length + 1 : lineLength + word.length + 1;
  }
  return { name: name.toLowerCase(), raw };
}
