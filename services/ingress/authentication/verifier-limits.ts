import { foldedBody, type HeaderField } from "../../message/header/fields.ts";

/** Of fields that mailauth parses, in part in quadratic time. */
const limits: readonly (readonly [name: RegExp, limitChars: number])[] = [
  [/^(?:dkim-signature|received)$/, 4 * 1024],
  [/^(?:arc-.*|return-path)$/, 16 * 1024],
];
/** Of all From fields together. */
const authorsLimitChars = 16 * 1024;
/** White space in a row, line ends included. */
const blanksLimit = 100;
/** Values of l= in DKIM-Signature: the verifier canonicalizes the whole body once for each. A signer has one, and so may a list behind it. */
const lengthsLimit = 2;
/** As the verifier takes a tag list apart (RFC 6376 section 3.2). */
const lengthTag = /(?:^|;)[ \t\r\n]*l[ \t\r\n]*=([^;]*)/;
/** Lines of a section: enough for a thousand recipients, one on each. */
const linesLimit = 2_000;

/**
 * Whether a header section can be given to mailauth as it is. Over half a megabyte of spaces, folds or signatures it would compute
 * for seconds to minutes and block all other mail; ordinary mail is far below these limits.
 */
export function areSafeForVerifier(fields: readonly HeaderField[]): boolean {
  const lines = fields.reduce((count, field) => count + foldedBody(field).split("\n").length, 0);
  return lines <= linesLimit && areAuthorsShort(fields) && haveFewLengths(fields) && fields.every(isSafeForVerifier);
}

function isSafeForVerifier(field: HeaderField): boolean {
  const body = foldedBody(field);
  const [, limitChars = body.length] = limits.find(([names]) => names.test(field.name)) ?? [];
  return body.length <= limitChars && longestBlank(body) <= blanksLimit;
}

function haveFewLengths(fields: readonly HeaderField[]): boolean {
  const signatures = fields.filter(({ name }) => name === "dkim-signature");
  const values = signatures.map((field) => lengthTag.exec(foldedBody(field))?.[1]?.trim());
  return new Set(values.filter((value) => value !== undefined)).size <= lengthsLimit;
}

function areAuthorsShort(fields: readonly HeaderField[]): boolean {
  const authors = fields.filter(({ name }) => name === "from");
  return authors.reduce((sum, field) => sum + foldedBody(field).length, 0) <= authorsLimitChars;
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
