const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** What a character takes at most: a line break becomes `</p>\n<p>`. */
const longestReplacement = 8;

/** Plain text as HTML: escaped, with paragraphs and line breaks. */
export function textToHtml(text: string): string {
  const escaped = text.trim().replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
  if (escaped === "") return "";
  return `<p>${escaped.replaceAll(/(?:\r?\n){2,}/g, "</p>\n<p>").replaceAll(/\r?\n(?!<p>)/g, "<br>\n")}</p>`;
}

/** As much of a text as makes HTML of no more than `limit` characters, the tags around it aside. */
export function textForHtml(text: string, limit: number): string {
  if (text.length * longestReplacement <= limit) return text;
  let size = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    size += character === "\n" ? longestReplacement : (entities[character]?.length ?? 1);
    if (size > limit) return text.slice(0, index);
  }
  return text;
}
