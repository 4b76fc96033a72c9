// Text in format=flowed: RFC 3676.

const signatureSeparator = "-- ";

interface Paragraph {
  readonly depth: number;
  readonly pieces: string[];
}

/** Paragraphs of lines that were broken softly, quotes with their marks. @param text with LF at the ends of its lines */
export function decodeFlowed(text: string, deletesSpaces: boolean): string {
  const paragraphs: Paragraph[] = [];
  let goesOn = false;
  for (const line of text.split("\n")) {
    const depth = quoteDepth(line);
    const content = line.slice(line.startsWith(" ", depth) ? depth + 1 : depth);
    const isSeparator = content === signatureSeparator;
    // A paragraph goes on neither at another depth (section 4.5) nor in a signature (section 4.3).
    const isNew = !goesOn || isSeparator || paragraphs.at(-1)?.depth !== depth;
    if (isNew) paragraphs.push({ depth, pieces: [] });
    goesOn = content.endsWith(" ") && !isSeparator;
    paragraphs.at(-1)?.pieces.push(goesOn && deletesSpaces ? content.slice(0, -1) : content);
  }
  return paragraphs.map(paragraphText).join("\n");
}

function paragraphText({ depth, pieces }: Paragraph): string {
  return (depth > 0 ? `${">".repeat(depth)} ` : "") + pieces.join("");
}

function quoteDepth(line: string): number {
  let depth = 0;
  while (line[depth] === ">") depth += 1;
  return depth;
}
