import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import type { ContentLimits } from "../limits.ts";
import { type Functions, transferable } from "../threads/protocol.ts";
import type { Threads } from "../threads/thread-pool.ts";
import type { ParsedContent } from "./parse-content.ts";

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
      const next = await chunks.next();
      return next.done ? undefined : transferable(next.value);
    },
  };
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
