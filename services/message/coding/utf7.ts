// UTF-7: RFC 2152. Decoding only: it is obsolete.

const [plus, minus] = [0x2b, 0x2d];
const replacement = 0xfffd;
const notBase64 = 0xff;
const values = new Uint8Array(256).fill(notBase64);
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;

/** Makes text of UTF-7 as it streams by. */
export class Utf7Decoding {
  #isShifted = false;
  /** Whether "+" was the last byte: "+-" stands for "+". */
  #isJustShifted = false;
  #bits = 0;
  #bitCount = 0;

  write(bytes: Buffer): string {
    // No byte becomes more than one code unit.
    const units = Buffer.allocUnsafe(bytes.length * 2);
    let size = 0;
    for (const byte of bytes) {
      const unit = this.#isShifted ? this.#takeShifted(byte) : this.#takeDirect(byte);
      if (unit !== undefined) size = units.writeUInt16LE(unit, size);
    }
    return units.toString("utf16le", 0, size);
  }

  end(): string {
    return "";
  }

  #takeDirect(byte: number): number | undefined {
    if (byte !== plus) return byte < 0x80 ? byte : replacement;
    this.#isShifted = true;
    this.#isJustShifted = true;
    this.#bits = 0;
    this.#bitCount = 0;
    return undefined;
  }

  #takeShifted(byte: number): number | undefined {
    const value = values[byte] as number;
    const isJustShifted = this.#isJustShifted;
    this.#isJustShifted = false;
    if (value === notBase64) {
      this.#isShifted = false;
      if (byte !== minus) return this.#takeDirect(byte);
      return isJustShifted ? plus : undefined;
    }
    this.#bits = (this.#bits << 6) | value;
    this.#bitCount += 6;
    if (this.#bitCount < 16) return undefined;
    this.#bitCount -= 16;
    const unit = this.#bits >>> this.#bitCount;
    this.#bits &= (1 << this.#bitCount) - 1;
    return unit;
  }
}
