import { walkHtml } from "./html-walk.ts";
import type { StepBudget } from "./step-budget.ts";

const hidden = new Set(["head", "script", "style", "template", "title", "noscript", "svg"]);
const paragraphs = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "pre", "hr"]);
const lines = new Set([
  "div",
  "tr",
  "li",
  "section",
  "article",
  "header",
  "footer",
  "address",
  "dt",
  "dd",
  "center",
  "form",
]);

/** Pieces of text that are joined at once; so many short ones would take far more memory than their text. */
const pieceLimit = 1_024;
/** Longer link texts are not searched for the link's target. */
const linkTextLimit = 2_000;

/**
 * HTML as plain text: line breaks at block elements, link targets in angle brackets. One pass, linear in its length. Where the
 * budget is spent, tags are removed from the rest, and that is all.
 */
export function htmlToText(html: string, budget: StepBudget): string {
  const writer = new TextWriter();
  const hrefs: string[] = [];
  let hiddenDepth = 0;
  let preDepth = 0;
  const end = walkHtml(html, budget, () => ({
    onopentag(name, attributes) {
      if (hidden.has(name)) hiddenDepth += 1;
      if (name === "pre") preDepth += 1;
      writer.break(breaksOf(name));
      writePrefix(writer, name);
      if (name === "img" && hiddenDepth === 0 && attributes.alt) writer.words(attributes.alt);
      if (name === "a") hrefs.push(writer.beginLink(attributes.href ?? ""));
    },
    ontext(text) {
      if (hiddenDepth > 0) return;
      if (preDepth > 0) writer.write(text);
      else writer.words(text);
    },
    onclosetag(name) {
      if (hidden.has(name)) hiddenDepth = Math.max(0, hiddenDepth - 1);
      if (name === "pre") preDepth = Math.max(0, preDepth - 1);
      if (name === "a") writer.endLink(hrefs.pop() ?? "");
      writer.break(breaksOf(name));
    },
  }));
  writer.words(html.slice(end).replaceAll(/<[^<>]*>/g, " "));
  return writer.text();
}

/** Writes what precedes the content of an element: bullets, breaks, cell separators. */
function writePrefix(writer: TextWriter, name: string): void {
  if (name === "li") writer.write("* ");
  if (name === "br") writer.write("\n");
  if (name === "td" || name === "th") writer.space();
}

function breaksOf(name: string): number {
  if (paragraphs.has(name)) return 2;
  return lines.has(name) ? 1 : 0;
}

/** Collapses white space as a browser does. */
class TextWriter {
  #written = "";
  #pieces: string[] = [];
  #isEmpty = true;
  #endsLine = false;
  #pendingBreaks = 0;
  #pendingSpace = false;
  #linkText = "";

  break(count: number): void {
    this.#pendingBreaks = Math.max(this.#pendingBreaks, count);
  }

  space(): void {
    this.#pendingSpace = true;
  }

  /** Text with its white space collapsed. */
  words(text: string): void {
    const folded = text.replaceAll(/[ \t\r\n\f]+/g, " ");
    if (folded.startsWith(" ")) this.#pendingSpace = true;
    const words = folded.trim();
    if (words !== "") this.write(words);
    if (folded.endsWith(" ")) this.#pendingSpace = true;
  }

  /** Text verbatim. */
  write(text: string): void {
    if (this.#pendingBreaks > 0 && !this.#isEmpty) this.#add("\n".repeat(this.#pendingBreaks));
    else if (this.#pendingSpace && !this.#isEmpty && text !== "\n" && !this.#endsLine) this.#add(" ");
    this.#pendingBreaks = 0;
    this.#pendingSpace = false;
    this.#add(text);
    if (this.#linkText.length < linkTextLimit) this.#linkText += text.slice(0, linkTextLimit);
  }

  #add(text: string): void {
    this.#pieces.push(text);
    this.#isEmpty = false;
    this.#endsLine = text.endsWith("\n");
    if (this.#pieces.length >= pieceLimit) this.#join();
  }

  #join(): void {
    this.#written += this.#pieces.join("");
    this.#pieces = [];
  }

  beginLink(href: string): string {
    this.#linkText = "";
    return href;
  }

  /** Appends the link's target, unless its text shows it already. */
  endLink(href: string): void {
    const leads = /^(https?:|mailto:)/i.test(href);
    const bare = href.replace(/^(mailto:|https?:\/\/)/i, "").replace(/\/$/, "");
    if (leads && !this.#linkText.includes(bare)) this.write(` <${href}>`);
  }

  text(): string {
    this.#join();
    return this.#written
      .replaceAll(/(?<![ \t])[ \t]+\n/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
  }
}
