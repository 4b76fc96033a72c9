const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Plain text as HTML: escaped, with paragraphs and line breaks. */
export function textToHtml(text: string): string {
  const escaped = text.trim().replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
  if (escaped === "") return "";
  return `<p>${escaped.replaceAll(/(?:\r?\n){2,}/g, "</p>\n<p>").replaceAll(/\r?\n(?!<p>)/g, "<br>\n")}</p>`;
}
