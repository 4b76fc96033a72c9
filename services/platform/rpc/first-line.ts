import type { Readable } from "node:stream";

const newline = 0x0a;

/** Longer than any head of a stream is. */
const limitBytes = 16 * 1024 * 1024;

/** A stream whose first line says what the rest of it is. */
interface LineAndRest {
  /** Without its end. */
  line: string;
  rest: AsyncGenerator<Buffer>;
}

/** Reads the first line of a stream of bytes; the rest comes as it is read. @throws Error for a stream without a line */
export async function firstLine(stream: Readable): Promise<LineAndRest> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { done, value } = await chunks.next();
    sizeBytes += value?.length ?? 0;
    if (done || sizeBytes > limitBytes) throw new Error("the stream has no first line");
    const end = value.indexOf(newline);
    if (end < 0) {
      head.push(value);
      continue;
    }
    head.push(value.subarray(0, end));
    return { line: Buffer.concat(head).toString("utf8"), rest: after(value.subarray(end + 1), chunks) };
  }
}

async function* after(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    // A caller that reads no further closes the stream.
    await chunks.return?.();
  }
}
