import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import type { ContentLimits } from "../limits.ts";
import type { Functions } from "../threads/protocol.ts";
import type { Threads } from "../threads/thread-pool.ts";
import type { ParsedContent } from "./parse-content.ts";

/** Handed to the thread at a time: to hand over a piece costs more than to copy it. */
const batchBytes = 256 * 1024;

type Store<Stored> = (bytes: Readable) => Promise<Stored>;

export interface ThreadedParsing<Stored> {
  readonly threads: Threads;
  /** Called once a thread is free. */
  open(): Promise<Readable>;
  readonly store: Store<Stored>;
  readonly limits: ContentLimits;
}

/**
 * Parses a message in a thread, which gets its bytes and gives back the attachments', a chunk at a time.
 * @throws BudgetExceeded; what the source or `store` failed with.
 */
export async function parseInThread<Stored>({
  threads,
  open,
  store,
  limits,
}: ThreadedParsing<Stored>): Promise<ParsedContent<Stored>> {
  const attachments = new AttachmentReceiver(store);
  let source: Readable | undefined;
  try {
    const parsed = await threads.run<ContentLimits, ParsedContent<number>>("parse", async () => {
      source = await open();
      return { input: limits, functions: { ...sourceFunctions(source), ...attachments.functions } };
    });
    return {
      ...parsed,
      text: bufferOf(parsed.text),
      html: bufferOf(parsed.html),
      attachments: parsed.attachments.map((each) => ({ ...each, stored: attachments.stored[each.stored] as Stored })),
    };
  } finally {
    source?.destroy();
    await attachments.abandon();
  }
}

function sourceFunctions(source: Readable): Functions {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    read: async () => {
      const pieces: Buffer[] = [];
      for (let size = 0; size < batchBytes; ) {
        const next = await chunks.next();
        if (next.done) break;
        pieces.push(next.value);
        size += next.value.length;
      }
      return pieces.length === 0 ? undefined : joined(pieces);
    },
  };
}

/** In memory of their own, which can be transferred. */
function joined(pieces: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** A Buffer comes out of a thread as the Uint8Array that it is. */
function bufferOf(bytes: Uint8Array | null): Buffer | null {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Stores attachments, one after the other, as their bytes come. */
class AttachmentReceiver<Stored> {
  readonly stored: Stored[] = [];
  readonly #store: Store<Stored>;
  #bytes: PassThrough | undefined;
  #storing: Promise<Stored> | undefined;

  constructor(store: Store<Stored>) {
    this.#store = store;
  }

  readonly functions: Functions = {
    beginAttachment: async () => {
      this.#bytes = new PassThrough();
      this.#storing = this.#store(this.#bytes);
      // The next await of it throws the error.
      this.#storing.catch(() => undefined);
    },
    writeAttachment: async (chunk: Uint8Array<ArrayBuffer>) => {
      const bytes = this.#bytes as PassThrough;
      if (!bytes.write(Buffer.from(chunk.buffer))) await Promise.race([once(bytes, "drain"), this.#storing]);
    },
    endAttachment: async () => {
      this.#bytes?.end();
      return this.stored.push((await this.#storing) as Stored) - 1;
    },
  };

  /** Ends what was not stored in full. */
  async abandon(): Promise<void> {
    this.#bytes?.destroy();
    await this.#storing?.catch(() => undefined);
  }
}
