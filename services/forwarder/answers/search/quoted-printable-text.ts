import { setImmediate as nextTurn } from "node:timers/promises";
import { encode, wrap } from "nodemailer/lib/qp";
import { changedInTurns, turnCharacters } from "./pieces.ts";

const lineEnd = "\r\n";
const longestLine = 76;

/**
 * Text in quoted-printable (RFC 2045 section 6.7), with turns of the event loop for other work. Its line ends are CRLF, whatever they were: a
 * line feed or carriage return alone would stand in the open, and such a message is sent by nobody.
 * @param bytes in a charset whose characters below 128 are those of ASCII
 */
export async function quotedPrintableText(bytes: Buffer): Promise<Buffer> {
  // A piece begins with no line end, so that none is parted.
  const text = await changedInTurns(bytes.toString("latin1"), /[^\r\n]/g, (piece) =>
    piece.replaceAll(/\r\n?|\n/g, lineEnd),
  );
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    if (from > 0) await nextTurn();
    const window = text.slice(from, from + turnCharacters);
    const isLast = from + window.length === text.length;
    const end = window.lastIndexOf(lineEnd) + lineEnd.length;
    const piece = isLast || end < lineEnd.length ? window : window.slice(0, end);
    pieces.push(
      isLast || piece.endsWith(lineEnd) ? encoded(piece, longestLine) : `${encoded(piece, longestLine - 1)}=\r\n`,
    );
    from += piece.length;
  }
  return Buffer.from(pieces.join(""), "latin1");
}

function encoded(piece: string, length: number): string {
  return wrap(encode(Buffer.from(piece, "latin1")), length);
}
