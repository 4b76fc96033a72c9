import type { SMTPServerDataStream } from "smtp-server";
import { SmtpRefusal } from "./refusals.ts";

/**
 * The bytes of a message between DATA and its final dot: unstuffed (RFC 5321 section 4.5.2), otherwise as they came.
 * Leaves the stream open when it is given up, so that the rest of the message can be read and thrown away: the reply
 * must not come before the final dot.
 * @throws SmtpRefusal messageTooBig or clientVanished.
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
