import { randomFillSync } from "node:crypto";
import { v7, validate } from "uuid";

const idBytes = 16;
/** For many ids at a time: most of an id's cost is a call for its randomness. */
const randomness = Buffer.alloc(idBytes * 256);
let randomnessUsed = randomness.length;
const last = { msecs: 0, seq: 0 };
/** The random octets of the id that is being made. */
const random = Buffer.alloc(idBytes);
const octets = Buffer.alloc(idBytes);

/**
 * A new identifier: UUID version 7, so that rows made together lie together. Those of this process are in the order in which
 * they were made (RFC 9562 sections 5.7 and 6.2, method 1).
 */
export function newId(): string {
  drawRandom();
  const now = Date.now();
  // A counter of 32 bits that begins below its half each millisecond: it does not overflow within one.
  const isNewTime = now > last.msecs;
  last.seq = isNewTime ? random.readUInt32BE(6) >>> 1 : last.seq + 1;
  if (isNewTime) last.msecs = now;
  v7({ msecs: last.msecs, seq: last.seq, random }, octets);
  return textOfOctets();
}

function drawRandom(): void {
  if (randomnessUsed === randomness.length) {
    randomFillSync(randomness);
    randomnessUsed = 0;
  }
  randomness.copy(random, 0, randomnessUsed, randomnessUsed + idBytes);
  randomnessUsed += idBytes;
}

/** Where the octets of a UUID stand in its text (RFC 9562 section 4). */
export const octetsAt = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

const hex = Buffer.from(Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, "0")).join(""));
const text = Buffer.alloc(36, "-");

/** Digit by digit into a buffer: a text that is put together of parts takes twenty times its memory. */
function textOfOctets(): string {
  for (let index = 0; index < idBytes; index++) {
    const octet = octets[index] as number;
    const at = octetsAt[index] as number;
    text[at] = hex[octet * 2] as number;
    text[at + 1] = hex[octet * 2 + 1] as number;
  }
  return text.toString("latin1");
}

/** Whether a string from outside can be an identifier of ours at all. */
export function isId(value: string): boolean {
  return validate(value);
}

const noRandomBytes = new Uint8Array(16);

/** The least identifier that could have been made at a time: older ones sort before it. */
export function firstIdAt(time: Date): string {
  return v7({ msecs: time.getTime(), seq: 0, random: noRandomBytes });
}

/** When an identifier of ours was made: it begins with its time (RFC 9562 section 5.7). */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
}
