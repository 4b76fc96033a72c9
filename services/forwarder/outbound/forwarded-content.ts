import type { MessageContent } from "../transports/transport.ts";

export interface ForwardedParts {
  /** Our own fields, and the forwarded ones. */
  header: Buffer;
  /** How many octets of the received message the header replaces. */
  replacedBytes: number;
  /** Of the received message. */
  sizeBytes: number;
  /** The received message, if it is small enough to be held in memory. */
  whole: Buffer | undefined;
  /** Reads the received message; called at every attempt. */
  open(): AsyncIterable<Buffer>;
}

/** A message as it is forwarded: the header, then everything after the received header, octet for octet. */
export function forwardedContent({ header, replacedBytes, sizeBytes, whole, open }: ForwardedParts): MessageContent {
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
