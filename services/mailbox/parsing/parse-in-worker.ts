import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import type { ContentLimits } from "../limits.ts";
import type { Functions } from "../workers/protocol.ts";
import type { Workers } from "../workers/worker-pool.ts";
import type { ParsedContent } from "./parse-content.ts";

/** Handed to the worker at a time: to hand over a piece costs more than to copy it. */
const batchBytes = 256 * 1024;

type Store<Stored> = (bytes: Readable) => Promise<Stored>;

interface WorkerParsing<Stored> {
  readonly workers: Workers;
  /** Called once a worker is free. */
  open(): Promise<Readable>;
  readonly store: Store<Stored>;
  readonly limits: ContentLimits;
}

/**
 * Parses a message in a worker, which gets its bytes and gives back the attachments', a chunk at a time.
 * @throws BudgetExceeded; what the source or `store` failed with.
 */
export async function parseInWorker<Stored>({
  workers,
  open,
  store,
  limits,
}: WorkerParsing<Stored>): Promise<ParsedContent<Stored>> {
  const attachments = new AttachmentReceiver(store);
  let source: Readable | undefined;
  try {
    const parsed = await workers.run<ContentLimits, ParsedContent<number>>("parse", async () => {
      source = await open();
      return { input: limits, functions: { ...sourceFunctions(source), ...attachments.functions } };
    });
    return {
      ...parsed,
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
      return pieces.length === 0 ? undefined : Buffer.concat(pieces);
    },
  };
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
    writeAttachment: async (chunk: Buffer) => {
      const bytes = this.#bytes as PassThrough;
      if (!bytes.write(chunk)) await Promise.race([once(bytes, "drain"), this.#storing]);
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
