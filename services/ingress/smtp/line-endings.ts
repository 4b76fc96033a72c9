import { SmtpRefusal } from "./refusals.ts";

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** What becomes of a CR or LF that stands alone. */
export type BareLineEndings = "refuse" | "repair";

/**
 * A message whose every CR is followed by LF and every LF preceded by CR, as RFC 5321 section 2.3.8 wants it: what one
 * server takes for a line's end and the next does not is how a second message is smuggled inside the first.
 * @throws SmtpRefusal bareLineEnding, unless they are to be repaired: then each becomes CRLF.
 */
export async function* wholeLineEndings(
  source: AsyncIterable<Buffer>,
  treatment: BareLineEndings,
): AsyncGenerator<Buffer, void, undefined> {
  let previous = 0;
  for await (const chunk of source) {
    if (areWhole(chunk, previous)) yield chunk;
    else if (treatment === "refuse") throw new SmtpRefusal("bareLineEnding");
    else yield repaired(chunk, previous);
    previous = chunk.at(-1) ?? previous;
  }
  if (previous !== carriageReturn) return;
  if (treatment === "refuse") throw new SmtpRefusal("bareLineEnding");
  yield Buffer.from([lineFeed]);
}

/** Whether, from the byte before the chunk on, a byte is LF exactly if the one before it is CR. */
function areWhole(chunk: Buffer, before: number): boolean {
  let previous = before;
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if ((byte === lineFeed) !== (previous === carriageReturn)) return false;
    previous = byte;
  }
  return true;
}

function repaired(chunk: Buffer, before: number): Buffer {
  const bytes: number[] = [];
  let previous = before;
  for (const byte of chunk) {
    if (previous === carriageReturn && byte !== lineFeed) bytes.push(lineFeed);
    if (byte === lineFeed && previous !== carriageReturn) bytes.push(carriageReturn);
    bytes.push(byte);
    previous = byte;
  }
  return Buffer.from(bytes);
}
