import { compact, pieceBytes } from "../buffers.ts";
import { BlobTooLarge } from "./types.ts";

export const chunkBytes = 256 * 1024;

/**
 * The same bytes in pieces of exactly 256 KiB, the last one shorter; an empty source gives none. Two pieces of memory serve
 * by turns, so that a long message leaves no more than that behind: a piece is good until the next but one is asked for.
 */
export async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const memory: Buffer[] = [Buffer.alloc(0), Buffer.alloc(0)];
  let turn = 0;
  let held = 0;
  for await (const piece of source) {
    for (let taken = 0; taken < piece.length; ) {
      const size = Math.min(piece.length - taken, chunkBytes - held);
      const chunk = roomFor(held + size, memory[turn] as Buffer, held);
      memory[turn] = chunk;
      piece.copy(chunk, held, taken, taken + size);
      taken += size;
      held += size;
      if (held < chunkBytes) continue;
      yield chunk;
      turn = 1 - turn;
      held = 0;
    }
  }
  if (held > 0) yield (memory[turn] as Buffer).subarray(0, held);
}

/** What a source begins with: all of it, in one piece, or else pieces of more than 256 KiB. */
type Beginning = { readonly all: Buffer } | { readonly all?: undefined; readonly pieces: readonly Buffer[] };

/**
 * Reads until there is more than 256 KiB, or no more. Long pieces are held as they come, and the only one is not copied: the less memory a
 * message takes, the later V8 looks for some to free. Short ones are put together, so that no sender makes a million of them.
 */
export async function readFirstChunk(source: AsyncIterator<Buffer, void>): Promise<Beginning> {
  const pieces: Buffer[] = [];
  let short = Buffer.alloc(0);
  let shortBytes = 0;
  const endShort = () => {
    if (shortBytes > 0) pieces.push(short.subarray(0, shortBytes));
    shortBytes = 0;
  };
  for (let sizeBytes = 0; sizeBytes <= chunkBytes; ) {
    const { done, value: piece } = await source.next();
    if (!piece || done) {
      endShort();
      return { all: pieces.length === 1 ? compact(pieces[0] as Buffer) : Buffer.concat(pieces) };
    }
    sizeBytes += piece.length;
    if (shortBytes + piece.length > pieceBytes) endShort();
    if (piece.length >= pieceBytes || (pieces.length === 0 && shortBytes === 0)) {
      pieces.push(piece);
      continue;
    }
    if (shortBytes === 0) short = Buffer.allocUnsafeSlow(pieceBytes);
    shortBytes += piece.copy(short, shortBytes);
  }
  endShort();
  return { pieces };
}

/** Grown only as far as it is needed: most messages are far smaller than a chunk. */
function roomFor(size: number, memory: Buffer, held: number): Buffer {
  if (size <= memory.length) return memory;
  const grown = Buffer.allocUnsafe(held === 0 ? size : Math.min(chunkBytes, Math.max(size, 2 * memory.length)));
  memory.copy(grown, 0, 0, held);
  return grown;
}

/** Passes a source on and counts it. @throws BlobTooLarge as soon as it is over the limit. */
export class MeasuredStream implements AsyncIterable<Buffer> {
  readonly #source: AsyncIterable<Buffer>;
  readonly #limitBytes: number;
  sizeBytes = 0;

  constructor(source: AsyncIterable<Buffer>, limitBytes = Number.POSITIVE_INFINITY) {
    this.#source = source;
    this.#limitBytes = limitBytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    for await (const piece of this.#source) {
      this.sizeBytes += piece.length;
      if (this.sizeBytes > this.#limitBytes) throw new BlobTooLarge(this.#limitBytes);
      yield piece;
    }
  }
}
