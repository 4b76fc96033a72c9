import type { Content } from "../transports/transport.ts";

export interface ForwardedParts {
  /** Our own fields, and the message's as they go on. */
  header: Buffer;
  /** How much of what came the header stands for. */
  replacedBytes: number;
  /** Of what came. */
  sizeBytes: number;
  /** What came, if it is small enough to be held. */
  whole: Buffer | undefined;
  /** Reads what came, again at every attempt. */
  open(): AsyncIterable<Buffer>;
}

/** A message as it goes on: the header, then all that came after its own, octet for octet. */
export function forwardedContent({ header, replacedBytes, sizeBytes, whole, open }: ForwardedParts): Content {
  const size = header.length + sizeBytes - replacedBytes;
  if (whole) {
    const pieces = [header, whole.subarray(replacedBytes)];
    return { sizeBytes: header.length + whole.length - replacedBytes, open: async () => pieces };
  }
  return {
    sizeBytes: size,
    open: async () => replaced(header, replacedBytes, open()),
  };
}

async function* replaced(header: Buffer, replacedBytes: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield header;
  let leftBytes = replacedBytes;
  for await (const chunk of source) {
    const skipped = Math.min(leftBytes, chunk.length);
    leftBytes -= skipped;
    if (skipped < chunk.length) yield chunk.subarray(skipped);
  }
}
