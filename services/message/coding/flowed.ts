// Text in format=flowed: RFC 3676.

const signatureSeparator = "-- ";
/** Pieces that are joined at a time: each line of a long text may be one. */
const piecesPerBlock = 10_000;

interface Line {
  readonly marks: string;
  /** Without quote marks and stuffing (section 4.4). */
  readonly content: string;
}

/** Paragraphs of lines that were broken softly, quotes with their marks. @param text with LF at the ends of its lines */
export function decodeFlowed(text: string, deletesSpaces: boolean): string {
  let decoded = "";
  let pieces: string[] = [];
  let before: (Line & { goesOn: boolean }) | undefined;
  for (const line of linesOf(text)) {
    const { marks, content } = line;
    const isSeparator = content === signatureSeparator;
    // A paragraph goes on neither at another depth (section 4.5) nor in a signature (section 4.3).
    const isJoined = before?.goesOn && !isSeparator && before.marks === marks;
    if (before && !isJoined) pieces.push("\n");
    if (marks !== "" && !isJoined) pieces.push(marks, " ");
    const goesOn = content.endsWith(" ") && !isSeparator;
    pieces.push(goesOn && deletesSpaces ? content.slice(0, -1) : content);
    before = { ...line, goesOn };
    if (pieces.length < piecesPerBlock) continue;
    decoded += pieces.join("");
    pieces = [];
  }
  return decoded + pieces.join("");
}

function* linesOf(text: string): Generator<Line> {
  for (let from = 0; from <= text.length; ) {
    const found = text.indexOf("\n", from);
    const end = found === -1 ? text.length : found;
    let begin = from;
    while (text[begin] === ">") begin += 1;
    const marks = text.slice(from, begin);
    if (text[begin] === " ") begin += 1;
    yield { marks, content: text.slice(begin, end) };
    from = end + 1;
  }
}
