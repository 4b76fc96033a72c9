import type { MessageContent } from "../transports/transport.ts";

/** Bytes of a message that are replaced by others. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly bytes: Buffer;
}

/** A part of a message with edits that lie in it, in the order in which they stand there. */
export function editedPieces(message: Buffer, edits: readonly Edit[], start = 0, end = message.length): Buffer[] {
  const pieces: Buffer[] = [];
  let at = start;
  for (const { from, to, bytes } of edits) {
    pieces.push(message.subarray(at, from), bytes);
    at = to;
  }
  return [...pieces, message.subarray(at, end)].filter(({ length }) => length > 0);
}

/** The same of a message as it streams by. */
export async function* editedStream(source: AsyncIterable<Buffer>, edits: readonly Edit[]): AsyncGenerator<Buffer> {
  const waiting = edits.values();
  let edit = waiting.next().value;
  let at = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (edit && at + rest.length > edit.from) {
      if (at < edit.from) yield rest.subarray(0, edit.from - at);
      if (at <= edit.from) yield edit.bytes;
      const takenBytes = Math.min(rest.length, edit.to - at);
      at += takenBytes;
      rest = rest.subarray(takenBytes);
      if (at < edit.to) break;
      edit = waiting.next().value;
    }
    at += rest.length;
    if (rest.length > 0) yield rest;
  }
}

interface ReceivedMessage {
  sizeBytes: number;
  /** The message, if it is small enough to be held in memory. */
  whole: Buffer | undefined;
  /** Reads it; called at every attempt. */
  open(): AsyncIterable<Buffer>;
}

/** A message to be sent with edits: everything else goes on octet for octet. */
export function editedContent({ sizeBytes, whole, open }: ReceivedMessage, edits: readonly Edit[]): MessageContent {
  const addedBytes = edits.reduce((sum, { from, to, bytes }) => sum + bytes.length - (to - from), 0);
  if (!whole) return { sizeBytes: sizeBytes + addedBytes, open: async () => editedStream(open(), edits) };
  const pieces = editedPieces(whole, edits);
  return { sizeBytes: whole.length + addedBytes, open: async () => pieces };
}
