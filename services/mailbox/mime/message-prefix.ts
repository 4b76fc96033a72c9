import { asError } from "../../platform/errors.ts";
import { storableText } from "../storable-text.ts";
import { type Header, readHeader } from "./headers.ts";

const limitBytes = 256 * 1024;

/** The first 256 KiB of a raw message: shown as text where its structure cannot be parsed. */
export class MessagePrefix {
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #sourceFailure: Error | undefined;

  /** Whether the message is longer than this. */
  get isCut(): boolean {
    return this.#sizeBytes > limitBytes;
  }

  /** What the source failed with by itself, and not because nobody reads it any further. */
  get sourceFailure(): Error | undefined {
    return this.#sourceFailure;
  }

  /** Passes the chunks on unchanged. */
  async *tee(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source) {
        if (this.#sizeBytes < limitBytes)
          this.#chunks.push(Buffer.from(chunk.subarray(0, limitBytes - this.#sizeBytes)));
        this.#sizeBytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      this.#sourceFailure = asError(error);
      throw error;
    }
  }

  /** Headers up to the first empty line, and the rest as text. A message that does not begin with a header is all text. */
  parse(): { headers: Header[]; text: string } {
    const raw = Buffer.concat(this.#chunks);
    const [head = "", ...rest] = raw.toString("latin1").split(/\r?\n\r?\n/, 1);
    const lines = head.split(/\r?\n(?![ \t])/);
    const hasHeaders = readHeader(lines[0] ?? "") !== undefined || raw[0] === 0x0d || raw[0] === 0x0a;
    const headers = hasHeaders ? lines.map(readHeader).filter((header) => header !== undefined) : [];
    const body = hasHeaders ? raw.subarray(head.length + rest.length) : raw;
    return { headers, text: storableText(body.toString("utf8").replaceAll("\r\n", "\n").trim()) };
  }
}
