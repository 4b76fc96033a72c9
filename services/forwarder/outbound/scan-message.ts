import { BodyHash } from "../../message/dkim/body-hash.ts";
import { HeaderSection } from "../../message/header/section.ts";
import { concatBuffers } from "../../platform/buffers.ts";
import { WidePartFields } from "./wide-part-fields.ts";

/** What is known of a message once it was read. */
export interface ScannedMessage {
  /** The header section, with the end of its last field. */
  readonly header: Buffer;
  /** Base64; absent unless it was asked for. */
  readonly bodyHash: string | undefined;
  /** All of it; absent unless it was asked for. */
  readonly whole: Buffer | undefined;
  /** Whether a header field of a part is beyond ASCII; false where that was not asked for, or the message not read to its end. */
  readonly hasWidePart: boolean;
}

interface ScanOptions {
  /** Whether the hash of the body is wanted, for signatures. */
  isHashed: boolean;
  /** Whether all of the message is wanted. */
  isKept: boolean;
  /** Whether the header fields of parts are looked at; no more is read for that. */
  seeksWideParts?: boolean;
}

/** Reads a message as far as it has to be read, holding no more than its header section unless all of it is wanted. */
export async function scanMessage(source: AsyncIterable<Buffer>, options: ScanOptions): Promise<ScannedMessage> {
  const scanner = new MessageScanner(options);
  for await (const chunk of source) {
    scanner.push(chunk);
    if (scanner.isDone) break;
  }
  return scanner.result();
}

class MessageScanner {
  readonly #hash: BodyHash | undefined;
  readonly #chunks: Buffer[] | undefined;
  readonly #header = new HeaderSection();
  readonly #parts: WidePartFields | undefined;

  constructor({ isHashed, isKept, seeksWideParts = false }: ScanOptions) {
    this.#hash = isHashed ? new BodyHash() : undefined;
    this.#chunks = isKept ? [] : undefined;
    this.#parts = seeksWideParts ? new WidePartFields() : undefined;
  }

  /** Whether nothing more has to be read. */
  get isDone(): boolean {
    return this.#header.isComplete && !this.#hash && !this.#chunks;
  }

  push(chunk: Buffer): void {
    this.#chunks?.push(chunk);
    this.#parts?.push(chunk);
    const body = this.#header.add(chunk);
    if (body.length > 0) this.#hash?.update(body);
  }

  result(): ScannedMessage {
    return {
      // No blank line, no body (RFC 5322 section 3.5).
      header: this.#header.bytes,
      bodyHash: this.#hash?.digest(),
      whole: this.#chunks && concatBuffers(this.#chunks),
      hasWidePart: this.#parts?.end() ?? false,
    };
  }
}
