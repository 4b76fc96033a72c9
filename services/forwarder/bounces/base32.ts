/** RFC 4648 section 6 in lower case, without padding. */
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const values = new Map([...alphabet].map((letter, value) => [letter, value]));

export function encodeBase32(bytes: Buffer): string {
  let text = "";
  let held = 0;
  let heldBits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (heldBits += 8; heldBits >= 5; heldBits -= 5) text += alphabet[(held >>> (heldBits - 5)) & 31];
    held &= (1 << heldBits) - 1;
  }
  return heldBits > 0 ? text + alphabet[(held << (5 - heldBits)) & 31] : text;
}

/** Undefined for what `encodeBase32` would never have written, bits left over included: one text for one value. */
export function decodeBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let held = 0;
  let heldBits = 0;
  for (const letter of text) {
    const value = values.get(letter);
    if (value === undefined) return undefined;
    held = (held << 5) | value;
    heldBits += 5;
    if (heldBits >= 8) {
      heldBits -= 8;
      bytes.push(held >>> heldBits);
      held &= (1 << heldBits) - 1;
    }
  }
  return heldBits < 5 && held === 0 ? Buffer.from(bytes) : undefined;
}
