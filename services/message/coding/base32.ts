// Base32 in lower case, without padding: RFC 4648 section 6.

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const values = new Map([...alphabet].map((letter, value) => [letter, value]));

export function encodeBase32(bytes: Buffer): string {
  let text = "";
  let buffer = 0;
  let bufferedBits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    for (bufferedBits += 8; bufferedBits >= 5; bufferedBits -= 5)
      text += alphabet[(buffer >>> (bufferedBits - 5)) & 31];
    buffer &= (1 << bufferedBits) - 1;
  }
  return bufferedBits > 0 ? text + alphabet[(buffer << (5 - bufferedBits)) & 31] : text;
}

/** Undefined for what `encodeBase32` would not have written, leftover bits included: each value has one text. */
export function decodeBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let buffer = 0;
  let bufferedBits = 0;
  for (const letter of text) {
    const value = values.get(letter);
    if (value === undefined) return undefined;
    buffer = (buffer << 5) | value;
    bufferedBits += 5;
    if (bufferedBits >= 8) {
      bufferedBits -= 8;
      bytes.push(buffer >>> bufferedBits);
      buffer &= (1 << bufferedBits) - 1;
    }
  }
  return bufferedBits < 5 && buffer === 0 ? Buffer.from(bytes) : undefined;
}
