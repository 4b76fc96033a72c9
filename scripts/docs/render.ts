import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import type { DocsPage } from "./pages.ts";

/** Raw HTML off: what looks like it is shown as it stands. */
const parser = new MarkdownIt("commonmark", { html: false }).enable("table");
const { rules } = parser.renderer;
// A table may be wider than the screen: then it scrolls, by the keyboard too.
rules["table_open"] = () => '<div class="scroller" tabindex="0" role="group" aria-label="Table"><table>\n';
rules["table_close"] = () => "</table></div>\n";

/** A page's content as HTML. @param names the pages that there are: links to other files of the repository become their text */
export function contentOf({ name, markdown }: DocsPage, names: ReadonlySet<string>): string {
  // Comments are for who edits the file.
  const tokens = parser.parse(markdown.replaceAll(/<!--[\s\S]*?-->\n?/g, ""), {});
  const slugs = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") token.attrSet("id", slugOf(tokens[at + 1]?.content ?? "", slugs));
    if (token.type === "inline" && token.content === "") asPlainCell(tokens[at - 1], tokens[at + 1]);
    if (token.children) token.children = linked(token.children, name, names);
  }
  return parser.renderer.render(tokens, parser.options, {});
}

/** A header cell without a text is none (axe's empty-table-header). */
function asPlainCell(...cell: (Token | undefined)[]): void {
  for (const token of cell) if (token?.tag === "th") token.tag = "td";
}

/** As GitHub makes them, so that links to a heading work in both places. */
function slugOf(heading: string, taken: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const count = taken.get(slug) ?? 0;
  taken.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** Links lead to pages of the site, or elsewhere, or are left out with their text kept; pictures are left out. */
function linked(children: Token[], name: string, names: ReadonlySet<string>): Token[] {
  const isKept: boolean[] = [];
  return children.filter((token) => {
    if (token.type === "image") return false;
    if (token.type === "link_close") return isKept.pop();
    if (token.type !== "link_open") return true;
    const target = targetOf(String(token.attrGet("href")), name, names);
    isKept.push(target !== undefined);
    if (target === undefined) return false;
    token.attrSet("href", target);
    return true;
  });
}

function targetOf(href: string, from: string, names: ReadonlySet<string>): string | undefined {
  if (/^(?:https:|#|\/)/.test(href)) return href;
  const [path = "", hash] = href.split("#");
  const name = posix.join(posix.dirname(from), path).replace(/\.md$/, "");
  if (!names.has(name)) return undefined;
  return hash === undefined ? `/docs/${name}` : `/docs/${name}#${hash}`;
}
