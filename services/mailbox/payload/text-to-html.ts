const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** What a character takes at most: a line break becomes `</p>\n<p>`. */
const maxReplacementCharacters = 8;

/** To replace something that stands at every place of a long text takes many times its length at once: more than a heap has room for. */
const pieceCharacters = 32 * 1024;

/** Plain text as HTML: escaped, with paragraphs and line breaks. */
export function textToHtml(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" ? "" : `<p>${[...piecesOf(trimmed)].map(pieceToHtml).join("")}</p>`;
}

function pieceToHtml(piece: string): string {
  const escaped = piece.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
  // By functions: a replacement that is a string makes V8 keep every piece between two matches.
  return escaped.replaceAll(/(?:\r?\n){2,}/g, () => "</p>\n<p>").replaceAll(/\r?\n(?!<p>)/g, () => "<br>\n");
}

/** Line ends that follow each other are in one piece. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + pieceCharacters, text.length);
    while (text[to] === "\r" || text[to] === "\n") to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** As much of a text as makes HTML of no more than `limit` characters, the tags around it aside. */
export function textForHtml(text: string, limit: number): string {
  if (text.length * maxReplacementCharacters <= limit) return text;
  let size = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    size += character === "\n" ? maxReplacementCharacters : (entities[character]?.length ?? 1);
    if (size > limit) return text.slice(0, index);
  }
  return text;
}
