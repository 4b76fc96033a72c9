import { domainToASCII } from "node:url";
import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { areAligned } from "../../platform/net/organisational-domain.ts";

const label = "[\\p{L}\\p{N}_-]+";
/** `@domain` or ` at domain`, or a domain alone. */
const closed = new RegExp(`(?: ?@ ?| at )?(?<domain>${label}(?:[.\u3002]${label})*)`, "giu");
/** The same with spaces around the dots, which some readers leave out. */
const spaced = new RegExp(`(?: ?@ ?| at )?(?<domain>${label}(?: ?[.\u3002] ?${label})*)`, "giu");

/**
 * A display name without the addresses of a domain of ours or of its organisation: what stands in front of the @ stays.
 * @param words of a phrase in UTF-8, encoded words among them
 * @returns undefined where there is none in it, else the text that is left, decoded
 */
export function withoutOwnAddresses(words: string, ownDomain: string): string | undefined {
  // As a reader sees it: without what has no width, and with wide letters as the letters that they stand for.
  const seen = decodeEncodedWords(words)
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/\s+/g, " ");
  const left = [closed, spaced].reduce(
    (text, form) =>
      text.replace(form, (mention: string, domain: string) =>
        areAligned(domainToASCII(domain.replaceAll(" ", "")), ownDomain) ? "" : mention,
      ),
    seen,
  );
  return left === seen ? undefined : left.trim();
}
