import type { MessageContent } from "../transports/transport.ts";
import { type Edit, editedPieces, editedStream } from "./edits.ts";

interface ForwardedParts {
  /** The header, and what else is replaced: everything else goes on octet for octet. */
  edits: readonly Edit[];
  /** Of the received message. */
  sizeBytes: number;
  /** The received message, if it is small enough to be held in memory. */
  whole: Buffer | undefined;
  /** Reads the received message; called at every attempt. */
  open(): AsyncIterable<Buffer>;
}

/** A message as it is forwarded. */
export function forwardedContent({ edits, sizeBytes, whole, open }: ForwardedParts): MessageContent {
  const addedBytes = edits.reduce((sum, { from, to, bytes }) => sum + bytes.length - (to - from), 0);
  if (!whole) return { sizeBytes: sizeBytes + addedBytes, open: async () => editedStream(open(), edits) };
  const pieces = editedPieces(whole, edits);
  return { sizeBytes: whole.length + addedBytes, open: async () => pieces };
}
