import type { KeyObject } from "node:crypto";
import { Worker } from "node:worker_threads";
import { InternalError, Outage } from "../../platform/errors.ts";

/** What the thread is given at once. It answers with a `MadeSignature` for each input, in the same order. */
export interface SigningBatch {
  readonly keys: readonly KeyObject[];
  readonly inputs: readonly { readonly key: number; readonly input: string }[];
}

/** In base64, or what is wrong with the key. */
export type MadeSignature = string | Error;

interface PendingSignature {
  key: KeyObject;
  input: string;
  signed: PromiseWithResolvers<string>;
}

/** One that it works on, and the next. */
const maxBatches = 2;
/** Some 8 ms of its time. */
const maxSignatures = 32;
/** Headers can have a megabyte, which each signature of them is made from. */
const maxOctets = 256 * 1_024;
/** No more garbage at a time; of what is in use there is little. Its heap has no other limit: reaching one would end the process. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/**
 * The thread that makes signatures: one of RSA takes 0.25 ms. All that are asked for in one turn of the event loop go to it together, and
 * come back together, which costs this thread half of what it costs to hand each to libuv's. It starts with the first signature; what ends
 * it fails those that it was to make, and the next is given to another.
 */
export class SigningThread {
  readonly #entry: URL;
  #worker: Worker | undefined;
  #waiting: PendingSignature[] = [];
  /** By the order in which the thread answers. */
  readonly #given: PendingSignature[][] = [];
  #isDue = false;

  constructor(entry = new URL("./signing-worker.ts", import.meta.url)) {
    this.#entry = entry;
  }

  /**
   * @param input in latin1
   * @returns base64
   * @throws Outage where the thread has ended, InternalError for a key that cannot sign
   */
  sign(key: KeyObject, input: string): Promise<string> {
    const signed = Promise.withResolvers<string>();
    this.#waiting.push({ key, input, signed });
    if (!this.#isDue) setImmediate(() => this.#give());
    this.#isDue = true;
    return signed.promise;
  }

  #give(): void {
    this.#isDue = false;
    while (this.#waiting.length > 0 && this.#given.length < maxBatches) {
      const batch = this.#waiting.splice(0, fitting(this.#waiting));
      const keys = [...new Set(batch.map(({ key }) => key))];
      const inputs = batch.map(({ key, input }) => ({ key: keys.indexOf(key), input }));
      this.#worker ??= this.#started();
      this.#worker.ref();
      this.#given.push(batch);
      this.#worker.postMessage({ keys, inputs } satisfies SigningBatch);
    }
  }

  #started(): Worker {
    // It needs nothing of the environment, which holds secrets.
    const worker = new Worker(this.#entry, { name: "signing", env: {}, resourceLimits });
    let cause: unknown;
    worker.on("message", (signatures: MadeSignature[]) => {
      this.#given.shift()?.forEach(({ signed }, index) => {
        const made = signatures[index];
        if (typeof made === "string") signed.resolve(made);
        else signed.reject(new InternalError({ operator: "a key cannot sign", cause: made }));
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
    for (const { signed } of this.#given.splice(0).flat()) signed.reject(outage);
    this.#give();
  }
}

/** How many of them make a batch. */
function fitting(signatures: readonly PendingSignature[]): number {
  let octets = 0;
  const end = signatures.findIndex(({ input }, index) => {
    octets += input.length;
    return index > 0 && (index === maxSignatures || octets > maxOctets);
  });
  return end < 0 ? signatures.length : end;
}

/** One of the process: it keeps nothing between batches. */
export const signingThread = new SigningThread();
