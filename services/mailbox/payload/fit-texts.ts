import { cutToJsonBytes, jsonBytes } from "./json-size.ts";

/** Of a character in JSON: the escape of a control character. */
export const maxEscapeBytes = 6;
/** Of a character in JSON that is a text in JSON: that escape with its backslash escaped. */
export const maxNestedEscapeBytes = 7;

/** Cuts the longest of some texts, so that all of them together take no more octets than that in JSON. */
export function fitTexts<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  limitBytes: number,
): { texts: Readonly<Record<Name, string>>; isCut: boolean } {
  const entries = Object.entries(texts) as [Name, string][];
  const sizes = entries.map(([, text]) => jsonBytes(text));
  const longest = commonLimit(sizes, limitBytes);
  if (longest === undefined) return { texts, isCut: false };
  const cut = entries.map(([name, text]) => [name, cutToJsonBytes(text, longest)]);
  return { texts: Object.fromEntries(cut), isCut: true };
}

/** The length to which the longest have to be cut, so that the sum is within the limit; undefined if it is already. */
function commonLimit(sizes: readonly number[], limit: number): number | undefined {
  const ascending = sizes.toSorted((one, other) => one - other);
  let left = Math.max(0, limit);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return undefined;
}
