import { Readable } from "node:stream";
import { newId } from "../../platform/ids.ts";
import type { MessageContent, OutboundMessage, SmtpEnvelope } from "../transports/transport.ts";

/** MessageContent that is handed over whole, or in pieces as a long message is. */
function contentOf(bytes: Buffer, { inPieces = false } = {}): MessageContent {
  const pieces = () =>
    Array.from({ length: Math.ceil(bytes.length / 700) }, (_, index) => bytes.subarray(index * 700, (index + 1) * 700));
  return {
    sizeBytes: bytes.length,
    open: async () => (inPieces ? Readable.from(pieces(), { objectMode: false }) : [bytes]),
  };
}

export function outgoing(
  bytes: Buffer | string = "Subject: hello\r\n\r\nhello\r\n",
  envelope: Partial<SmtpEnvelope> = {},
  options = {},
): OutboundMessage {
  return {
    deliveryId: newId(),
    envelope: {
      sender: "bounce+token@postern.example",
      recipient: "real@inbox.example",
      smtpUtf8: false,
      eightBitMime: false,
      ...envelope,
    },
    content: contentOf(Buffer.from(bytes), options),
  };
}
