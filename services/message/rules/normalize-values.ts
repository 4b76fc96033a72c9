import { splitAddress, withAsciiDomain } from "../address/addr-spec.ts";

/** Characters that are compared: more than readers show of a subject in a list, and few enough to be cheap. */
const textCharacters = 2_000;

/** An address as rules compare it: letter case, Unicode normalisation, quotes and the notation of the domain make no difference. */
export function normalizeAddress(address: string): string {
  const { localPart, domain } = splitAddress(withAsciiDomain(address));
  const plain = localPart.replace(/^"(.*)"$/s, "$1");
  return `${normalizeText(plain)}@${domain.toLowerCase().replace(/\.$/, "")}`;
}

/** Letter case, normalisation and runs of white space make no difference. */
export function normalizeText(text: string): string {
  return text.slice(0, textCharacters).normalize("NFC").toLowerCase().normalize("NFC").replace(/\s+/g, " ").trim();
}

/** RFC 5233 section 4, without the plus; "" if there is none. */
export function normalizeTag(address: string): string {
  const local = splitAddress(address).localPart.replace(/^"(.*)"$/s, "$1");
  const plus = local.indexOf("+", 1);
  return plus < 0 ? "" : normalizeText(local.slice(plus + 1));
}

/** RFC 2919 section 3: what stands in the last angle brackets, without the description before them; else all of it. */
export function normalizeListId(body: string): string {
  const opened = body.lastIndexOf("<");
  const closed = body.indexOf(">", opened);
  return normalizeText(opened >= 0 && closed > opened ? body.slice(opened + 1, closed) : body);
}
