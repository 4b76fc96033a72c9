/** Bytes that are nowhere the same for long, so that pieces in a wrong order show. */
export function patterned(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let index = 0; index < size; index++) bytes[index] = (index * 31 + (index >> 8) * 17 + (index >> 16)) & 255;
  return bytes;
}

/** As a source would give them. */
export async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
