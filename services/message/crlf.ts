/** Line ends of messages (RFC 5321 section 2.3.8, RFC 5322 section 2.3). */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const wordBytes = 4;

/** Whether each CR is followed by LF and each LF preceded by CR, given the octet before the chunk; a CR may end the chunk. */
export function hasOnlyCrlf(chunk: Buffer, before: number | undefined): boolean {
  let at = before === carriageReturn && chunk.length > 0 ? 1 : 0;
  if (at === 1 && chunk[0] !== lineFeed) return false;
  const words = wordsOf(chunk);
  while (at < chunk.length) {
    at = afterPlainWords(words, at);
    const octet = chunk[at];
    at += 1;
    if (octet === lineFeed) return false;
    if (octet !== carriageReturn) continue;
    if (at < chunk.length && chunk[at] !== lineFeed) return false;
    at += 1;
  }
  return true;
}

/** The same memory, four octets at a time. */
interface Words {
  readonly words: Int32Array;
  /** Octets of the chunk before the first word. */
  readonly offset: number;
}

function wordsOf({ buffer, byteOffset, length }: Buffer): Words {
  const offset = (wordBytes - (byteOffset % wordBytes)) % wordBytes;
  const count = Math.max(0, Math.floor((length - offset) / wordBytes));
  return { words: new Int32Array(buffer, count === 0 ? 0 : byteOffset + offset, count), offset };
}

/** The place behind all words from `at` on whose octets are all above CR: of most text that is all but the ends of its lines. */
function afterPlainWords({ words, offset }: Words, at: number): number {
  if (at < offset || (at - offset) % wordBytes !== 0) return at;
  let index = (at - offset) / wordBytes;
  while (index < words.length && isPlain(words[index] as number)) index += 1;
  return index * wordBytes + offset;
}

/** Whether each of four octets is above CR: adding 0x72 to its low seven bits sets the eighth from 0x0e on. */
function isPlain(word: number): boolean {
  return (((((word & 0x7f7f7f7f) + 0x72727272) | word) & 0x80808080) | 0) === (0x80808080 | 0);
}
