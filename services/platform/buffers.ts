/** Shorter pieces are joined with their neighbours: writing a small piece to a socket costs more than copying it. */
export const pieceBytes = 16 * 1024;

/** The same octets in fewer pieces: long ones as they are, short ones put together. */
export function coalesceBuffers(pieces: readonly Buffer[]): Buffer[] {
  const all: Buffer[] = [];
  let short: Buffer[] = [];
  for (const piece of pieces) {
    if (piece.length < pieceBytes) short.push(piece);
    else {
      all.push(concatBuffers(short), piece);
      short = [];
    }
  }
  return [...all, concatBuffers(short)].filter(({ length }) => length > 0);
}

/** One piece of what may be several; copied only if it is. */
export function concatBuffers(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

/** The same octets; copied into memory of their own if they would hold on to more than twice as much. */
export function compact(piece: Buffer): Buffer {
  if (piece.buffer.byteLength <= 2 * piece.length) return piece;
  const copy = Buffer.allocUnsafeSlow(piece.length);
  piece.copy(copy);
  return copy;
}

/** The beginning of a stream, of which no more is read. Copied, so that a short piece does not hold on to a long chunk. */
export async function readBeginning(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let left = limitBytes;
  for await (const chunk of source) {
    chunks.push(Buffer.from(chunk.subarray(0, left)));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return Buffer.concat(chunks);
}
