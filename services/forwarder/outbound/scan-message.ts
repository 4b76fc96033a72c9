import { joined } from "../../platform/buffers.ts";
import { headerEnd } from "../message/header-section.ts";
import { BodyHash } from "../signing/body-hash.ts";

/** What is known of a message once it was read. */
export interface Outline {
  /** The header section, with the end of its last field. */
  readonly header: Buffer;
  /** Base64; absent unless it was asked for. */
  readonly bodyHash: string | undefined;
  /** All of it; absent unless it was asked for. */
  readonly whole: Buffer | undefined;
}

export interface ReadingOptions {
  isHashed: boolean;
  isKept: boolean;
}

const blankLineBytes = 2;

/** Reads a message as far as it has to be read, holding no more than its header section unless it is to be kept. */
export async function readOutline(source: AsyncIterable<Buffer>, options: ReadingOptions): Promise<Outline> {
  const reading = new Reading(options);
  for await (const chunk of source) if (reading.take(chunk) === "enough") break;
  return reading.outline();
}

class Reading {
  readonly #hash: BodyHash | undefined;
  readonly #kept: Buffer[] | undefined;
  #beginning: Buffer = Buffer.alloc(0);
  #header: Buffer | undefined;

  constructor({ isHashed, isKept }: ReadingOptions) {
    this.#hash = isHashed ? new BodyHash() : undefined;
    this.#kept = isKept ? [] : undefined;
  }

  take(chunk: Buffer): "more" | "enough" {
    this.#kept?.push(chunk);
    if (this.#header) this.#hash?.update(chunk);
    else this.#seekBody(chunk);
    return this.#header && !this.#hash && !this.#kept ? "enough" : "more";
  }

  outline(): Outline {
    return {
      // No blank line, no body (RFC 5322 section 3.5).
      header: this.#header ?? this.#beginning,
      bodyHash: this.#hash?.digest(),
      whole: this.#kept && joined(this.#kept),
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
