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
