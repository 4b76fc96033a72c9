import type { SMTPServerDataStream } from "smtp-server";
import { SmtpRefusal } from "./refusals.ts";

/**
 * The content of a message between DATA and its final dot, unstuffed (RFC 5321 section 4.5.2). If reading stops early the stream
 * stays open, so that the rest can be discarded: the reply must not come before the final dot.
 * @throws SmtpRefusal messageTooBig or clientVanished
 */
export async function* messageBytes(stream: SMTPServerDataStream): AsyncGenerator<Buffer, void, undefined> {
  const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of chunks) {
      if (stream.sizeExceeded) throw new SmtpRefusal("messageTooBig");
      yield chunk;
    }
  } catch (error) {
    throw error instanceof SmtpRefusal ? error : new SmtpRefusal("clientVanished", error);
  }
  if (stream.sizeExceeded) throw new SmtpRefusal("messageTooBig");
}
