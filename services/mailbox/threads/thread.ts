import { Worker } from "node:worker_threads";
import { asError } from "../../platform/errors.ts";
import { BudgetExceeded } from "./budget.ts";
import { type FromThread, type Functions, type ToThread, transferList } from "./protocol.ts";

export interface ThreadLimits {
  /** Of the thread's heap. */
  readonly heapMb: number;
  /** CPU time that one task may take. */
  readonly cpuMs: number;
  /** Time that one task may take in all, with what it waits for. */
  readonly timeMs: number;
}

type FunctionCall = Extract<FromThread, { call: string }>;

const entry = new URL("./content-thread.ts", import.meta.url);
const youngHeapMb = 8;
const stackMb = 2;
const cpuPollMs = 100;
const microsecondsPerMs = 1_000;

/** A thread with a heap of its own that works on one task at a time, and is ended where one costs too much. */
export class Thread {
  readonly #limits: ThreadLimits;
  readonly #worker: Worker;
  #isOver = false;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
    this.#worker = new Worker(entry, {
      // It needs nothing of the environment, which holds secrets.
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: limits.heapMb - youngHeapMb,
        maxYoungGenerationSizeMb: youngHeapMb,
        stackSizeMb: stackMb,
      },
    });
    this.#worker.unref();
    const onEnd = () => {
      this.#isOver = true;
    };
    // "error" comes before "exit", and a thread that failed must not be given another task between the two.
    this.#worker.on("error", onEnd).once("exit", onEnd);
  }

  /** Whether it was ended: it takes no more tasks. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * @throws BudgetExceeded or an error of a function, after which the thread is ended; or any other error of the task.
   */
  async run(task: string, input: unknown, functions: Functions): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onMessage = (message: FromThread) => {
      if ("done" in message) resolve(message.done);
      else if ("exceeded" in message) reject(new BudgetExceeded(message.exceeded));
      else if ("failed" in message) reject(Object.assign(new Error(message.failed.message), message.failed));
      else void this.#answer(message, functions).catch(end);
    };
    const end = (error: unknown) => {
      reject(asError(error));
      void this.end();
    };
    const onError = (error: NodeJS.ErrnoException) =>
      reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new BudgetExceeded("memory") : error);
    const onExit = () => reject(new Error("the thread has ended"));
    const stopWatching = this.#watch(end);
    this.#worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    this.#worker.ref();
    this.#post({ task, input }, input);
    try {
      return await promise;
    } finally {
      stopWatching();
      this.#worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  async #answer({ id, call, argument }: FunctionCall, functions: Functions): Promise<void> {
    const called = functions[call];
    if (!called) throw new Error(`a thread called ${call}, which is not there`);
    const result = await called(argument as never);
    this.#post({ id, result }, result);
  }

  #post(message: ToThread, transferred: unknown): void {
    this.#worker.postMessage(message, transferList(transferred));
  }

  /** Calls `end` once the task has taken too much. @returns what stops the watch. */
  #watch(end: (error: Error) => void): () => void {
    const startedAt = Date.now();
    // Rejects once the thread has ended.
    const usage = (since?: NodeJS.CpuUsage) => this.#worker.cpuUsage(since).catch(() => undefined);
    const atStart = usage();
    let isOver = false;
    const timer = setInterval(async () => {
      if (Date.now() - startedAt > this.#limits.timeMs)
        end(new Error(`a task took longer than ${this.#limits.timeMs} ms`));
      const used = await usage(await atStart);
      if (used && !isOver && (used.user + used.system) / microsecondsPerMs > this.#limits.cpuMs)
        end(new BudgetExceeded("cpu"));
    }, cpuPollMs).unref();
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }
}
