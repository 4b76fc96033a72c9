import { BlobTooLarge } from "./types.ts";

export const chunkBytes = 256 * 1024;

/** The same bytes in pieces of exactly 256 KiB, the last one shorter; an empty source gives none. Holds one piece at most. */
export async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (let piece of source) {
    while (held + piece.length >= chunkBytes) {
      const missing = chunkBytes - held;
      yield Buffer.concat([...parts, piece.subarray(0, missing)], chunkBytes);
      piece = piece.subarray(missing);
      parts = [];
      held = 0;
    }
    if (piece.length > 0) parts.push(piece);
    held += piece.length;
  }
  if (held > 0) yield Buffer.concat(parts, held);
}

/** Passes a source on and counts it. @throws BlobTooLarge as soon as it is over the limit. */
export class Measured implements AsyncIterable<Buffer> {
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
