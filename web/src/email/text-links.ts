interface Piece {
  readonly text: string;
  /** Where it leads; absent of what is no link. */
  readonly href?: string;
}

/** Up to a blank, a quotation mark or an angle bracket. */
const address = /https?:\/\/[^\s<>"]+/gi;
/** What stands behind an address in a sentence is none of it. */
const trailing = new Set([".", ",", ";", ":", "!", "?", "'", "”", "’", "…", "*", "_"]);
const mostLinks = 500;

/** A text in pieces: http and https addresses, and what stands between them. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(address)) {
    if (pieces.length > 2 * mostLinks) break;
    const found = withoutTrailing(match[0]);
    if (!URL.canParse(found)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ text: found, href: found });
    from = match.index + found.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

function withoutTrailing(found: string): string {
  let end = found.length;
  while (end > 0) {
    const last = found[end - 1] ?? "";
    const isOpen = last === ")" && !found.slice(0, end).includes("(");
    if (!trailing.has(last) && !isOpen) break;
    end -= 1;
  }
  return found.slice(0, end);
}
