const fieldEnd = "\r\n";

/** A header field as it stands in a message, octet for octet: strings here are Latin-1, one character an octet. */
export interface HeaderField {
  /** In lower case; empty for a line that is no field. */
  readonly name: string;
  /** The whole field, folded as it came, without the end of its last line. */
  readonly raw: string;
}

/** A field of our own. */
export function field(name: string, value: string): HeaderField {
  return { name: name.toLowerCase(), raw: `${name}: ${value}` };
}

/** What follows the colon, unfolded (RFC 5322 section 2.2.3), without white space around it. */
export function unfoldedValue({ raw }: HeaderField): string {
  return withoutBlanksAround(raw.slice(raw.indexOf(":") + 1).replaceAll("\r\n", ""));
}

/** No regular expression: one with an end to look for takes minutes over a stranger's half a megabyte of spaces. */
function withoutBlanksAround(text: string): string {
  let [from, to] = [0, text.length];
  while (isBlank(text[from])) from += 1;
  while (to > from && isBlank(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

function isBlank(letter: string | undefined): boolean {
  return letter === " " || letter === "\t";
}

/** Where the header section of a message ends: after its last field, before the blank line; undefined while that is still to come. */
export function headerEnd(bytes: Buffer): number | undefined {
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return 0;
  const end = bytes.indexOf("\r\n\r\n");
  return end === -1 ? undefined : end + fieldEnd.length;
}

/** The fields of a header section, each with all of its octets. */
export function readFields(section: Buffer): HeaderField[] {
  if (section.length === 0) return [];
  const text = section.toString("latin1");
  const lines = (text.endsWith(fieldEnd) ? text.slice(0, -fieldEnd.length) : text).split(/\r\n(?![ \t])/);
  return lines.map((raw) => ({ name: nameOf(raw), raw }));
}

export function writeFields(fields: readonly HeaderField[]): string {
  return fields.map(({ raw }) => raw + fieldEnd).join("");
}

/** The fields of a name, top to bottom. @param name in lower case */
export function fieldsNamed(fields: readonly HeaderField[], name: string): HeaderField[] {
  return fields.filter((candidate) => candidate.name === name);
}

function nameOf(raw: string): string {
  return /^([!-9;-~]+)[ \t\r\n]*:/.exec(raw)?.at(1)?.toLowerCase() ?? "";
}
