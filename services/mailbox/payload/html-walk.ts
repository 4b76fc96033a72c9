import { type Handler, Parser } from "htmlparser2";
import type { StepBudget } from "./step-budget.ts";

/** htmlparser2 searches its stack of open tags at each tag, so deep nesting makes it quadratic. */
const depthLimit = 256;
/** htmlparser2 keeps all attributes of a tag until its end. */
const attributeLimit = 1_000;
/** The limits are looked at between chunks. */
const chunkCharacters = 8_192;

/**
 * Parses HTML, however malformed, in chunks. The handlers are made with the parser, for its offsets.
 * @param budget spends a step for each tag, attribute and text
 * @returns the offset where it stopped: the length, unless the HTML nests too deeply or the budget is spent.
 */
export function walkHtml(
  html: string,
  budget: StepBudget,
  handlersFor: (parser: () => Parser) => Pick<Partial<Handler>, "onopentag" | "onclosetag" | "ontext">,
): number {
  let depth = 0;
  let attributes = 0;
  const { onopentag, onclosetag, ontext } = handlersFor(() => parser);
  const parser = new Parser({
    onopentag(...tag) {
      budget.spend();
      depth += 1;
      attributes = 0;
      onopentag?.(...tag);
    },
    onattribute() {
      budget.spend();
      attributes += 1;
    },
    onclosetag(...tag) {
      budget.spend();
      depth -= 1;
      onclosetag?.(...tag);
    },
    ontext(text) {
      budget.spend();
      ontext?.(text);
    },
  });
  for (let position = 0; position < html.length; position += chunkCharacters) {
    if (depth > depthLimit || attributes > attributeLimit || budget.isSpent) return wholeTags(html, position);
    parser.write(html.slice(position, position + chunkCharacters));
  }
  parser.end();
  return html.length;
}

/** The end of the last whole tag or text before a position. */
function wholeTags(html: string, position: number): number {
  const lastTag = html.lastIndexOf("<", position - 1);
  const end = html.indexOf(">", Math.max(lastTag, 0));
  return lastTag >= 0 && (end === -1 || end >= position) ? lastTag : position;
}
