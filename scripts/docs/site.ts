import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { escapeHtml } from "../../services/platform/http/escape-html.ts";
import { type Chapter, chapters, type DocsPage } from "./pages.ts";
import { contentOf } from "./render.ts";

const styles = ["../../web/src/styles/tokens.css", "docs.css"];

/** What was chosen in the web application holds here too; without a choice the system's preference does. */
const theme = `const chosen = localStorage.getItem("postern-theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
`;

/** Writes all files of the site. */
export function writeSite(folder: string): void {
  const all = chapters();
  const pages = all.flatMap((chapter) => chapter.pages);
  const names = new Set(pages.map(({ name }) => name));
  for (const page of pages) write(join(folder, `${page.name}.html`), document(page, contentOf(page, names), all));
  const [first] = pages;
  if (first) write(join(folder, "index.html"), document(first, contentOf(first, names), all));
  write(
    join(folder, "docs.css"),
    styles.map((path) => readFileSync(join(import.meta.dirname, path), "utf8")).join("\n"),
  );
  write(join(folder, "theme.js"), theme);
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function document(page: DocsPage, content: string, all: readonly Chapter[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} – Postern</title>
<link rel="icon" href="/postern.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/theme.js"></script>
</head>
<body>
<header>
<a class="mark" href="/docs"><img src="/postern.svg" alt="" width="30" height="30">Postern</a>
<nav aria-label="Site"><a href="#pages">Pages</a> <a href="/docs/api">REST API</a> <a href="/">Web application</a></nav>
</header>
<div class="columns">
<main>
${content}</main>
<nav id="pages" aria-label="Pages">
${all.map((chapter) => chapterLinks(chapter, page)).join("\n")}
</nav>
</div>
</body>
</html>
`;
}

function chapterLinks({ title, pages }: Chapter, current: DocsPage): string {
  const items = pages.map(({ name, title }) => {
    const mark = name === current.name ? ' aria-current="page"' : "";
    return `<li><a href="/docs/${name}"${mark}>${escapeHtml(title)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}
