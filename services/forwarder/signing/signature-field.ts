import type { HeaderField } from "../../message/header/fields.ts";
import { type SigningKey, signatureBy } from "./signing-key.ts";

const lineLimit = 76;
const fold = "\r\n\t";

/** Tags of a signature in their order, `h` with its lines (`signedNamesTag`); `b` is added last (RFC 6376 section 3.5). */
type Tags = Readonly<Record<string, string | number | readonly string[]>>;

/** A field in relaxed canonicalization (RFC 6376 section 3.4.2), without the end of its line. */
export function relaxedField({ name, raw }: HeaderField): string {
  const value = raw
    .slice(raw.indexOf(":") + 1)
    .replaceAll("\r\n", "")
    .replace(/[ \t]{2,}|\t/g, " ");
  const end = value.endsWith(" ") ? -1 : value.length;
  return `${name}:${value.slice(value.startsWith(" ") ? 1 : 0, end)}`;
}

/** The lines of the tag `h`: white space after its colons has no meaning. */
export function signedNamesTag(names: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "h=";
  for (const name of names) {
    if (line.length + name.length + 2 > lineLimit) {
      lines.push(line);
      line = "";
    }
    line += `${name}:`;
  }
  return [...lines, `${line.slice(0, -1)};`];
}

/**
 * A signature over fields and itself, as a field of its own: DKIM-Signature, ARC-Message-Signature or ARC-Seal.
 * @param signed canonicalized fields, in the order they are signed in
 */
export function signatureField(fieldName: string, tags: Tags, signed: readonly string[], key: SigningKey): HeaderField {
  const name = fieldName.toLowerCase();
  const lines = folded(`${fieldName}:`, tags);
  const unsigned = `${name}:${lines.join(" ").slice(fieldName.length + 2)}`;
  const signature = signatureBy(key, [...signed, unsigned].join("\r\n"));
  return { name, raw: lines.join(fold) + signature.replace(/.{1,72}/g, `${fold}$&`) };
}

/** The lines of the field up to its `b=`, folded between tags, where white space has no meaning. */
function folded(begin: string, tags: Tags): string[] {
  const lines: string[] = [];
  let line = begin;
  const add = (piece: string) => {
    if (line.length + piece.length + 1 <= lineLimit) line += ` ${piece}`;
    else {
      lines.push(line);
      line = piece;
    }
  };
  for (const [tag, value] of Object.entries(tags)) {
    if (typeof value !== "object") add(`${tag}=${value};`);
    else
      for (const next of value) {
        lines.push(line);
        line = next;
      }
  }
  add("b=");
  return [...lines, line];
}
