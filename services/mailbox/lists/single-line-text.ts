import { storableText } from "../../platform/storable-text.ts";

/** Control characters, and those that change the direction of what stands around them (Unicode Standard Annex 9, section 2). */
const unseen = /\u034f|[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** With the joiners that newsletters fill their first line with. */
const blanks = /(?:\s[\u200c\u200d]*)+/g;

/** A text as a line of a list shows it: blanks folded, without what cannot be seen but changes what is. @param limit in characters */
export function oneLine(text: string, limit: number): string {
  const folded = text
    .slice(0, 4 * limit)
    .replaceAll(blanks, " ")
    .replaceAll(unseen, "")
    .replaceAll(/ {2,}/g, " ");
  return storableText(folded.trim(), limit);
}
