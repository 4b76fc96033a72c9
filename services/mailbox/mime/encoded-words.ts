/** charset, optional language (RFC 2231 section 5), encoding, encoded text (RFC 2047 section 2). */
const encodedWord = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([BbQq])\?([^?\s]*)\?=/g;

interface Word {
  charset: string;
  bytes: Buffer;
  start: number;
  end: number;
}

/**
 * Decodes the encoded-words in an unfolded header value (RFC 2047). White space between two of them goes, and neighbours of
 * one charset are decoded together: some senders split a character over two words. What cannot be decoded stays as it is.
 */
export function decodeEncodedWords(value: string): string {
  if (!value.includes("=?")) return value;
  const words = mergeNeighbours(value, [...value.matchAll(encodedWord)].map(readWord));
  let decoded = "";
  let position = 0;
  let wasWord = false;
  for (const word of words) {
    const between = value.slice(position, word.start);
    const text = decodeBytes(word.bytes, word.charset) ?? value.slice(word.start, word.end);
    decoded += wasWord && between.trim() === "" ? text : between + text;
    position = word.end;
    wasWord = true;
  }
  return decoded + value.slice(position);
}

function readWord(match: RegExpExecArray): Word {
  const [whole, charset = "", encoding = "", text = ""] = match;
  const bytes = encoding.toUpperCase() === "B" ? Buffer.from(text, "base64") : decodeQ(text);
  return { charset: charset.toLowerCase(), bytes, start: match.index, end: match.index + whole.length };
}

function mergeNeighbours(value: string, words: readonly Word[]): Word[] {
  const merged: Word[] = [];
  for (const word of words) {
    const last = merged.at(-1);
    const isNeighbour = last?.charset === word.charset && value.slice(last.end, word.start).trim() === "";
    if (last && isNeighbour)
      merged[merged.length - 1] = { ...last, bytes: Buffer.concat([last.bytes, word.bytes]), end: word.end };
    else merged.push(word);
  }
  return merged;
}

/** RFC 2047 section 4.2: like quoted-printable, with an underscore for a space. */
function decodeQ(text: string): Buffer {
  const unescaped = text
    .replaceAll("_", " ")
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unescaped, "latin1");
}

/** Bytes in a charset as the Encoding Standard knows it; undefined for one that it does not. */
function decodeBytes(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ENCODING_NOT_SUPPORTED") return undefined;
    throw error;
  }
}
