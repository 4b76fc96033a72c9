import { type Handler, Parser } from "htmlparser2";

/** htmlparser2 searches its stack of open tags at each tag, so deep nesting makes it quadratic. */
const depthLimit = 256;
const chunkCharacters = 8_192;

/**
 * Parses HTML, however malformed, in chunks. The handlers are made with the parser, for its offsets.
 * @returns the offset where it stopped: the length, unless the HTML nests too deeply.
 */
export function walkHtml(html: string, handlersFor: (parser: () => Parser) => Partial<Handler>): number {
  let depth = 0;
  const { onopentag, onclosetag, ...others } = handlersFor(() => parser);
  const parser = new Parser({
    ...others,
    onopentag(...tag) {
      depth += 1;
      onopentag?.(...tag);
    },
    onclosetag(...tag) {
      depth -= 1;
      onclosetag?.(...tag);
    },
  });
  for (let position = 0; position < html.length; position += chunkCharacters) {
    if (depth > depthLimit) return wholeTags(html, position);
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
