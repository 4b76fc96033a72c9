import { hasOnlyCrlf } from "../../message/crlf.ts";
import { withoutNul } from "../../message/nul.ts";
import { SmtpRefusal } from "./refusals.ts";

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** What is done about a CR or LF on its own, and about NUL. */
export type BadOctetTreatment = "refuse" | "repair";

/**
 * A message as 8bit data (RFC 2045 section 2.8): no NUL, and CR and LF only as CRLF (RFC 5321 section 2.3.8). Servers that
 * disagree about where a line ends can be made to see a second message inside the first (SMTP smuggling).
 * @throws SmtpRefusal nulCharacter or bareLineEnding, unless it is to be repaired: then NUL is left out, and a CR or LF on its
 * own becomes CRLF.
 */
export async function* eightBitData(
  source: AsyncIterable<Buffer>,
  treatment: BadOctetTreatment,
): AsyncGenerator<Buffer, void, undefined> {
  let previous = 0;
  for await (const octets of source) {
    const hasNul = octets.includes(0);
    if (hasNul && treatment === "refuse") throw new SmtpRefusal("nulCharacter");
    const chunk = hasNul ? withoutNul(octets) : octets;
    if (hasOnlyCrlf(chunk, previous)) yield chunk;
    else if (treatment === "refuse") throw new SmtpRefusal("bareLineEnding");
    else yield repaired(chunk, previous);
    previous = chunk.at(-1) ?? previous;
  }
  if (previous !== carriageReturn) return;
  if (treatment === "refuse") throw new SmtpRefusal("bareLineEnding");
  yield Buffer.from([lineFeed]);
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
