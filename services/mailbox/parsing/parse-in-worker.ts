import type { Readable } from "node:stream";
import { asError } from "../../platform/errors.ts";
import type { ContentLimits } from "../limits.ts";
import { AttachmentWriter } from "../mime/attachment-writer.ts";
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
  } catch (error) {
    await attachments.abandon(asError(error));
    throw error;
  } finally {
    source?.destroy();
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

/** Stores attachments, one after the other, as the worker hands them over. */
class AttachmentReceiver<Stored> {
  readonly stored: Stored[] = [];
  readonly #store: Store<Stored>;
  #writer: AttachmentWriter<Stored> | undefined;

  constructor(store: Store<Stored>) {
    this.#store = store;
  }

  readonly functions: Functions = {
    beginAttachment: async () => {
      this.#writer = new AttachmentWriter(this.#store);
    },
    writeAttachment: (chunk: Buffer) => this.#begun().write(chunk),
    endAttachment: async () => this.stored.push(await this.#begun().finish()) - 1,
  };

  /** Ends what was not stored in full. */
  async abandon(error: Error): Promise<void> {
    await this.#writer?.abandon(error);
  }

  #begun(): AttachmentWriter<Stored> {
    if (!this.#writer) throw new Error("no attachment was begun");
    return this.#writer;
  }
}
