import { splitAddress, withAsciiDomain } from "../address/addr-spec.ts";

/** Of a subject: more than readers show in a list, and what a comparison costs stays small. */
const textCharacters = 2_000;

/** Addresses that differ in letter case, Unicode normalisation or the notation of the domain have the same. */
export function comparableAddress(address: string): string {
  const { localPart, domain } = splitAddress(withAsciiDomain(address));
  const plain = localPart.replace(/^"(.*)"$/s, "$1");
  return `${comparableText(plain)}@${domain.toLowerCase().replace(/\.$/, "")}`;
}

/** Letter case, normalisation and runs of white space make no difference. */
export function comparableText(text: string): string {
  return text.slice(0, textCharacters).normalize("NFC").toLowerCase().normalize("NFC").replace(/\s+/g, " ").trim();
}

/** RFC 5233 section 4, without the plus; "" if there is none. */
export function comparableTag(address: string): string {
  const local = splitAddress(address).localPart.replace(/^"(.*)"$/s, "$1");
  const plus = local.indexOf("+", 1);
  return plus < 0 ? "" : comparableText(local.slice(plus + 1));
}

/** RFC 2919 section 3: what stands in the last angle brackets, without the description before them; else all of it. */
export function comparableListId(body: string): string {
  const opened = body.lastIndexOf("<");
  const closed = body.indexOf(">", opened);
  return comparableText(opened >= 0 && closed > opened ? body.slice(opened + 1, closed) : body);
}
