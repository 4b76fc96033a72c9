import { foldedBody, type HeaderField, headerField } from "../../message/header/fields.ts";

/** In characters, of what a verifier takes apart: it does some of that in a time that grows with the square of the length. */
const limits: readonly (readonly [name: RegExp, limitChars: number])[] = [
  [/^(?:dkim-signature|received)$/, 4 * 1024],
  [/^(?:arc-.*|return-path)$/, 16 * 1024],
];
/** Of all From together: a microsecond for each, and nobody reads so many authors. */
const authorsLimitChars = 16 * 1024;
/** Of white space in a row, line ends included: an honest field, folded by whomever, has a few. */
const blanksLimit = 100;
/** Of a whole section: a thousand recipients, one on each, are not too many. */
const linesLimit = 2_000;

/**
 * Whether a header section can be given to a verifier as it is. An honest one comes near none of these limits, and over half a
 * megabyte of spaces, folds or signatures mailauth would take from seconds to minutes, in which nobody else's mail comes in.
 */
export function areBearable(fields: readonly HeaderField[]): boolean {
  const lines = fields.reduce((count, field) => count + foldedBody(field).split("\n").length, 0);
  return lines <= linesLimit && areAuthorsReadable(fields) && fields.every(isBearable);
}

/**
 * The same without what is unbearable about it, for a message whose signatures do not count. One whose authors are too many
 * has none that could be held to anything, like one without a From.
 */
export function madeBearable(fields: readonly HeaderField[]): HeaderField[] {
  const kept = fields.map(unfolded).filter(isBearable);
  return areAuthorsReadable(kept) ? kept : kept.filter(({ name }) => name !== "from");
}

function isBearable(field: HeaderField): boolean {
  const body = foldedBody(field);
  const [, limitChars = body.length] = limits.find(([names]) => names.test(field.name)) ?? [];
  return body.length <= limitChars && longestBlank(body) <= blanksLimit;
}

function areAuthorsReadable(fields: readonly HeaderField[]): boolean {
  const authors = fields.filter(({ name }) => name === "from");
  return authors.reduce((sum, field) => sum + foldedBody(field).length, 0) <= authorsLimitChars;
}

function unfolded(field: HeaderField): HeaderField {
  return headerField(field.name, foldedBody(field).replace(/[ \t\r\n]+/g, " "));
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
