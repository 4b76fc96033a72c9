/** Undoes a coding of bytes as they stream by, in a time that goes with their number. */
export interface ByteDecoder {
  /** The decoded bytes so far; may be a view of the input. */
  write(bytes: Buffer): Buffer;
  /** What was held back. */
  end(): Buffer;
}

export const nothing: Buffer = Buffer.alloc(0);

/** Bytes that stand for themselves: 7bit, 8bit, binary (RFC 2045 section 6.2), and every unknown encoding. */
export class IdentityDecoder implements ByteDecoder {
  write(bytes: Buffer): Buffer {
    return bytes;
  }

  end(): Buffer {
    return nothing;
  }
}
