import { tokenize } from "../../message/address/tokens.ts";
import { type HeaderField, unfold } from "../../message/header/fields.ts";

const fieldName = "authentication-results";
const lineThatIsNoFold = /\r?\n(?![ \t])/;

/**
 * The fields without any Authentication-Results that claims to be of our making: as it came from outside, it is forged and must
 * not reach receivers that trust ours (RFC 8601 section 5). Lines that begin no field count as well if a forgiving reader would take
 * them for one.
 */
export function withoutForgedResults(fields: readonly HeaderField[], serviceDomain: string): readonly HeaderField[] {
  const honest = fields.flatMap((field) => withoutForged(field, serviceDomain));
  const isSame = honest.length === fields.length && honest.every((field, index) => field === fields[index]);
  return isSame ? fields : honest;
}

function withoutForged(field: HeaderField, serviceDomain: string): HeaderField[] {
  if (field.name !== "" && field.name !== fieldName && !lineThatIsNoFold.test(field.raw)) return [field];
  const [first = "", ...rest] = field.raw.split(lineThatIsNoFold);
  if (claimsOurAuthservId(first, serviceDomain)) return [];
  const honest = rest.filter((line) => !claimsOurAuthservId(line, serviceDomain));
  return [honest.length === rest.length ? field : { name: field.name, raw: [first, ...honest].join("\r\n") }];
}

/** @param line with its folds */
function claimsOurAuthservId(line: string, serviceDomain: string): boolean {
  const colon = line.indexOf(":");
  if (
    line
      .slice(0, Math.max(0, colon))
      .replaceAll(/[^!-~]/g, "")
      .toLowerCase() !== fieldName
  )
    return false;
  return authservId(unfold(line.slice(colon + 1))) === serviceDomain;
}

/** The first thing in a body, comments aside, in any case (RFC 8601 section 2.2). */
function authservId(body: string): string {
  const tokens = tokenize(body).tokens.filter(({ kind }) => kind !== "comment");
  const end = tokens.findIndex(({ text, isSpaced }, index) => {
    const isAfterDot = index > 0 && tokens[index - 1]?.text === ".";
    return text === ";" || (index > 0 && isSpaced && text !== "." && !isAfterDot);
  });
  const words = tokens.slice(0, end === -1 ? tokens.length : end).map(({ text }) => text);
  return words.join("").replace(/\.$/, "").toLowerCase();
}
