import { concatBuffers } from "../../platform/buffers.ts";
import { headerEnd } from "../message/header-section.ts";
import { BodyHash } from "../signing/body-hash.ts";

/** What is known of a message once it was read. */
export interface ScannedMessage {
  /** The header section, with the end of its last field. */
  readonly header: Buffer;
  /** Base64; absent unless it was asked for. */
  readonly bodyHash: string | undefined;
  /** All of it; absent unless it was asked for. */
  readonly whole: Buffer | undefined;
}

export interface ScanOptions {
  /** Whether the hash of the body is wanted, for signatures. */
  isHashed: boolean;
  /** Whether all of the message is wanted. */
  isKept: boolean;
}

const blankLineBytes = 2;

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
  /** What has come while the end of the header section is still to come. */
  #beginning: Buffer = Buffer.alloc(0);
  #header: Buffer | undefined;

  constructor({ isHashed, isKept }: ScanOptions) {
    this.#hash = isHashed ? new BodyHash() : undefined;
    this.#chunks = isKept ? [] : undefined;
  }

  /** Whether nothing more has to be read. */
  get isDone(): boolean {
    return this.#header !== undefined && !this.#hash && !this.#chunks;
  }

  push(chunk: Buffer): void {
    this.#chunks?.push(chunk);
    if (this.#header) this.#hash?.update(chunk);
    else this.#seekBody(chunk);
  }

  result(): ScannedMessage {
    return {
      // No blank line, no body (RFC 5322 section 3.5).
      header: this.#header ?? this.#beginning,
      bodyHash: this.#hash?.digest(),
      whole: this.#chunks && concatBuffers(this.#chunks),
    };
  }

  #seekBody(chunk: Buffer): void {
    const read = this.#beginning.length > 0 ? Buffer.concat([this.#beginning, chunk]) : chunk;
    const end = headerEnd(read);
    this.#beginning = read;
    if (end === undefined) return;
    // Copied, so that a small header does not hold on to a large chunk.
    this.#header = Buffer.from(read.subarray(0, end));
    this.#hash?.update(read.subarray(end + blankLineBytes));
    this.#beginning = Buffer.alloc(0);
  }
}
