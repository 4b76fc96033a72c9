import { domainToASCII } from "node:url";
import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { areAligned } from "../../platform/net/organisational-domain.ts";

const label = "[\\p{L}\\p{N}_-]+";
/** `@domain` or ` at domain`, or a domain alone. */
const closed = new RegExp(`(?: ?@ ?| at )?(?<domain>${label}(?:[.\u3002]${label})*)`, "giu");
/** The same with spaces around the dots (obsolete syntax, RFC 5322 section 4.4). */
const spaced = new RegExp(`(?: ?@ ?| at )?(?<domain>${label}(?: ?[.\u3002] ?${label})*)`, "giu");

/** What is left of a removal may be an address again. Deeper nesting than this is an attack. */
const passLimit = 10;

/**
 * Removes addresses in domains of ours, or in their organisations, from a display name; their local parts stay.
 * @param words a phrase in UTF-8, with encoded-words
 * @returns undefined if there is none, else the rest, decoded; "" for addresses that are nested too deeply
 */
export function withoutOwnAddresses(words: string, ownDomains: readonly string[]): string | undefined {
  // As it looks: without invisible characters, compatibility characters as ordinary ones.
  const seen = decodeEncodedWords(words)
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/\s+/g, " ");
  let left = seen;
  for (let pass = 0; pass < passLimit; pass++) {
    const rest = removeOnce(left, ownDomains);
    if (rest === left) return left === seen ? undefined : left.trim();
    left = rest;
  }
  return "";
}

function removeOnce(text: string, ownDomains: readonly string[]): string {
  return [closed, spaced].reduce(
    (left, form) =>
      left.replace(form, (mention: string, domain: string) =>
        isOfOurs(domainToASCII(domain.replaceAll(" ", "")), ownDomains) ? "" : mention,
      ),
    text,
  );
}

function isOfOurs(domain: string, ownDomains: readonly string[]): boolean {
  return ownDomains.some((own) => areAligned(domain, own));
}
