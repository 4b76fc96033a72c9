import { randomFillSync } from "node:crypto";
import { v7, validate } from "uuid";

const idBytes = 16;
/** For many ids at a time: most of an id's cost is a call for its randomness. */
const randomness = new Uint8Array(idBytes * 256);
let randomnessUsed = randomness.length;
const last = { msecs: 0, seq: 0 };

/**
 * A new identifier: UUID version 7, so that rows made together lie together. Those of this process are in the order in which
 * they were made (RFC 9562 sections 5.7 and 6.2, method 1).
 */
export function newId(): string {
  const random = nextRandom();
  const now = Date.now();
  // A counter of 32 bits that begins below its half each millisecond: it does not overflow within one.
  const isNewTime = now > last.msecs;
  last.seq = isNewTime ? new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1 : last.seq + 1;
  if (isNewTime) last.msecs = now;
  return v7({ ...last, random });
}

function nextRandom(): Uint8Array {
  if (randomnessUsed === randomness.length) {
    randomFillSync(randomness);
    randomnessUsed = 0;
  }
  randomnessUsed += idBytes;
  return randomness.subarray(randomnessUsed - idBytes, randomnessUsed);
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
