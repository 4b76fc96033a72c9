import { Worker } from "node:worker_threads";
import type { HeaderField } from "../../message/header/fields.ts";
import { InternalError, messageOf, Outage } from "../../platform/errors.ts";
import type { SigningTask } from "./sign-message.ts";

/** What the thread answers for each message that it is given. */
export type SigningResult = { readonly signatures: readonly HeaderField[] } | { readonly failed: string };

interface PendingTask {
  task: SigningTask;
  signed: PromiseWithResolvers<readonly HeaderField[]>;
}

/** Messages of a batch: 4 ms of its time. The first of them waits for the last, so where no more wait than these, each goes by itself. */
const batchSize = 4;
/** Messages that it is given and has not signed: those that it works on, and as many that it takes next. */
const maxGiven = 2 * batchSize;
/** No more garbage at a time; of what is in use there is little. Its heap has no other limit: reaching one would end the process. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/**
 * The thread that signs messages, which takes 1 ms for each. Where many wait they go to it in batches, which costs less than to hand each
 * signature to libuv's threads. It starts with the first message; what ends it fails those that it was to sign, and the next are given to
 * another. Exported for tests.
 */
export class SigningThread {
  readonly #entry: URL;
  #worker: Worker | undefined;
  readonly #waiting: PendingTask[] = [];
  /** By the order in which the thread answers. */
  readonly #given: PendingTask[][] = [];
  #messagesGiven = 0;
  #isDue = false;

  constructor(entry = new URL("./signing-worker.ts", import.meta.url)) {
    this.#entry = entry;
  }

  /** @throws Outage where the thread has ended or cannot start, InternalError for a key that cannot sign */
  sign(task: SigningTask): Promise<readonly HeaderField[]> {
    const signed = Promise.withResolvers<readonly HeaderField[]>();
    this.#waiting.push({ task, signed });
    if (!this.#isDue) setImmediate(() => this.#give());
    this.#isDue = true;
    return signed.promise;
  }

  #give(): void {
    this.#isDue = false;
    while (this.#waiting.length > 0 && this.#messagesGiven < maxGiven) {
      const batch = this.#waiting.splice(0, this.#waiting.length > batchSize ? batchSize : 1);
      try {
        this.#worker ??= this.#started();
        this.#worker.postMessage(batch.map(({ task }) => task));
        this.#worker.ref();
        this.#given.push(batch);
        this.#messagesGiven += batch.length;
      } catch (cause) {
        // Thrown on into the event loop, it would end the process: the system may have no thread left.
        const operator = `the signing thread cannot be used: ${messageOf(cause)}`;
        fail(batch, new Outage("signatures", { operator, cause }));
      }
    }
  }

  #started(): Worker {
    // It needs nothing of the environment, which holds secrets.
    const worker = new Worker(this.#entry, { name: "signing", env: {}, resourceLimits });
    let cause: unknown;
    worker.on("message", (results: readonly SigningResult[]) => {
      this.#messagesGiven -= results.length;
      this.#given.shift()?.forEach(({ signed }, index) => {
        const result = results[index] as SigningResult;
        if ("signatures" in result) signed.resolve(result.signatures);
        else signed.reject(new InternalError({ operator: `cannot sign: ${result.failed}` }));
      });
      this.#give();
      if (this.#given.length === 0) worker.unref();
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => this.#end(new Outage("signatures", { operator: "the signing thread has ended", cause })));
    return worker;
  }

  #end(outage: Outage): void {
    this.#worker = undefined;
    this.#messagesGiven = 0;
    fail(this.#given.splice(0).flat(), outage);
    this.#give();
  }
}

function fail(messages: readonly PendingTask[], outage: Outage): void {
  for (const { signed } of messages) signed.reject(outage);
}

/** One of the process: it keeps nothing between batches. */
export const signingThread = new SigningThread();
