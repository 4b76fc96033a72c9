import type { HeaderField } from "../header-block.ts";

/** What a verifier takes apart, some of it in a time that grows with the square of its length. */
const takenApart = /^(?:dkim-signature|arc-.*|received)$/;
const limitChars = 16 * 1024;
const receivedLimitChars = 4 * 1024;
/** Of white space in a row, line ends included: an honest field, folded by whomever, has a few. */
const blanksLimit = 100;

/**
 * Whether a field can be given to a verifier as it is. An honest one comes near none of these limits, and over half a
 * megabyte of spaces mailauth would take minutes, in which nobody else's mail comes in.
 */
export function isBearable({ name, value }: HeaderField): boolean {
  if (longestBlank(value) > blanksLimit) return false;
  return !takenApart.test(name) || value.length <= (name === "received" ? receivedLimitChars : limitChars);
}

/** The same field without what is unbearable about it, for a message whose signatures do not count; undefined: left out. */
export function madeBearable({ name, value }: HeaderField): HeaderField | undefined {
  const shortened = { name, value: value.replace(/[ \t\r\n]+/g, " ") };
  return isBearable(shortened) ? shortened : undefined;
}

function longestBlank(value: string): number {
  let longest = 0;
  let length = 0;
  for (let at = 0; at < value.length; at++) {
    length = " \t\r\n".includes(value[at] as string) ? length + 1 : 0;
    if (length > longest) longest = length;
  }
  return longest;
}
