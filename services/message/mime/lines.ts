// Where lines begin and end that may be boundary delimiters: RFC 2046 section 5.1.1. Bytes are searched one by one: over lines of a few bytes a
// native search for each costs ten times as much.

const [lineFeed, carriageReturn, hyphen] = [0x0a, 0x0d, 0x2d];

/** Where a line begins with "--" after this place; -1 if none does. */
export function nextCandidate(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length - 2; at += 1)
    if (bytes[at] === lineFeed && bytes[at + 1] === hyphen && bytes[at + 2] === hyphen) return at + 1;
  return -1;
}

/** -1 if there is none. */
export function nextLineFeed(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === lineFeed) return at;
  return -1;
}

/** The line end before a delimiter belongs to it. */
export function contentEnd(bytes: Buffer, start: number, from: number): number {
  if (start === from) return from;
  return start - 2 >= from && bytes[start - 2] === carriageReturn ? start - 2 : start - 1;
}

/** Whether a delimiter line may begin here; undefined if too little is known. */
export function beginsWithHyphens(bytes: Buffer, at: number): boolean | undefined {
  if (at >= bytes.length || (bytes[at] === hyphen && at + 1 === bytes.length)) return undefined;
  return bytes[at] === hyphen && bytes[at + 1] === hyphen;
}

/** How many bytes at the end may be the beginning of a line end and a delimiter: CR LF "-" and parts of it. */
export function heldTail(bytes: Buffer, from: number): number {
  let size = 0;
  const last = (): number | undefined => (bytes.length - size > from ? bytes[bytes.length - size - 1] : undefined);
  if (last() === hyphen && bytes[bytes.length - 2] === lineFeed && bytes.length - 2 >= from) size += 1;
  if (last() === lineFeed) size += 1;
  if ((size > 0 || bytes.length > from) && last() === carriageReturn) size += 1;
  return size;
}
