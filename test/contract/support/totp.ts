import { createHmac } from "node:crypto";

const stepS = 30;

/** The code that an authenticator shows now (RFC 6238 with SHA-1 and six digits; RFC 4226 section 5.3). */
export function totp(secret: string): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1_000 / stepS)));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** RFC 4648 section 6. */
function fromBase32(text: string): Buffer {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text.replace(/=+$/, "")].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/[01]{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
