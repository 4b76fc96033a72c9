const maxLinks = 100;
const maxLinkCharacters = 4_096;
/** Of the text and of the HTML: beyond this nobody finds a link. */
const searchedCharacters = 512 * 1024;

/** The end of a sentence, and what may enclose a URL. */
const closing = ".,;:!?'\"*_~)]}>";

const inText = /https?:\/\/[^\s<>"\\^`{|}]{1,4096}/gi;
const inHtml = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const reference = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi;
const named: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};

/** The http and https URLs of a message, each once: those that its HTML links to, then those that its text names. */
export function linksIn({ text, html }: { text: string; html: string }): string[] {
  const linked = [...html.slice(0, searchedCharacters).matchAll(inHtml)].map(([, double, single, bare]) =>
    decoded(double ?? single ?? bare ?? "").trim(),
  );
  const written = [...text.slice(0, searchedCharacters).matchAll(inText)].map(([url]) => withoutClosing(url));
  const links = [...linked, ...written].filter((link) => link.length <= maxLinkCharacters && isWebUrl(link));
  return [...new Set(links)].slice(0, maxLinks);
}

function isWebUrl(link: string): boolean {
  return /^https?:\/\//i.test(link) && URL.canParse(link);
}

/** A closing bracket belongs to the URL where it closes one within. */
function withoutClosing(url: string): string {
  let unopened = [...url].reduce((count, sign) => count + (sign === ")" ? 1 : 0) - (sign === "(" ? 1 : 0), 0);
  let end = url.length;
  for (; end > 0 && closing.includes(url[end - 1] ?? ""); end -= 1) {
    if (url[end - 1] !== ")") continue;
    if (unopened <= 0) break;
    unopened -= 1;
  }
  return url.slice(0, end);
}

function decoded(attribute: string): string {
  return attribute.replaceAll(reference, (found) => {
    const lower = found.toLowerCase();
    const code = lower.startsWith("&#x") ? Number.parseInt(lower.slice(3), 16) : Number(lower.slice(2, -1));
    return named[lower] ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found);
  });
}
