import type { HeaderField } from "../../message/header/fields.ts";
import type { SigningKey } from "./signing-key.ts";

const lineLimit = 76;

/** Tags of a signature in their order; `b` is added last (RFC 6376 section 3.5). */
type Tags = Readonly<Record<string, string | number>>;

/** A field in relaxed canonicalization (RFC 6376 section 3.4.2), without the end of its line. */
export function relaxedField({ raw }: HeaderField): string {
  const colon = raw.indexOf(":");
  const value = raw
    .slice(colon + 1)
    .replaceAll("\r\n", "")
    .replace(/[ \t]+/g, " ")
    .replace(/^ | $/g, "");
  return `${raw.slice(0, colon).trimEnd().toLowerCase()}:${value}`;
}

/**
 * A signature over fields and itself, as a field of its own: DKIM-Signature, ARC-Message-Signature or ARC-Seal.
 * @param signed canonicalized fields, in the order they are signed in
 */
export async function signatureField(
  name: string,
  tags: Tags,
  signed: readonly string[],
  key: SigningKey,
): Promise<HeaderField> {
  const unsigned = { name: name.toLowerCase(), raw: folded(name, tags) };
  const input = [...signed, relaxedField(unsigned)].join("\r\n");
  const signature = await key.sign(input);
  return { name: unsigned.name, raw: unsigned.raw + inLines(signature) };
}

/** The field up to its `b=`, folded between tags and after the colons of `h=`, where white space has no meaning. */
function folded(name: string, tags: Tags): string {
  const pieces = Object.entries(tags).flatMap(([tag, value]) => {
    const text = `${tag}=${value};`;
    return tag === "h" ? text.split(/(?<=:)/) : [text];
  });
  let line = `${name}:`;
  let text = "";
  for (const piece of [...pieces, "b="]) {
    const isContinued = line.endsWith(":") && line !== `${name}:`;
    if (line.length + piece.length + 1 > lineLimit) {
      text += `${line}\r\n`;
      line = `\t${piece}`;
    } else line += isContinued ? piece : ` ${piece}`;
  }
  return text + line;
}

function inLines(base64: string): string {
  return base64.replace(/.{1,72}/g, "\r\n\t$&");
}
