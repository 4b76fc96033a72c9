import { Semaphore } from "../../platform/concurrency/semaphore.ts";
import type { Functions } from "./protocol.ts";
import { Thread, type ThreadLimits } from "./thread.ts";

export interface ThreadPoolOptions {
  /** Threads that work at once; further tasks are queued. */
  readonly size: number;
  readonly limits: ThreadLimits;
  /** How long an idle thread is kept: its heap is given back when it ends. */
  readonly idleMs: number;
}

/** What works on tasks in threads. */
export type Threads = Pick<ThreadPool, "run">;

/** A few threads, started when there is work for them and ended when there is none. */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #semaphore: Semaphore;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.size);
  }

  /** Threads that were started and have not ended. */
  get threadCount(): number {
    return this.#all.size;
  }

  /**
   * Works on a task in a thread of its own heap.
   * @param begin gives what the task needs, once its turn has come; so that what waits holds nothing.
   * @throws BudgetExceeded; what `begin` or a function failed with.
   */
  run<Input, Result>(task: string, begin: () => Promise<{ input: Input; functions: Functions }>): Promise<Result> {
    return this.#semaphore.run(async () => {
      const { input, functions } = await begin();
      const thread = this.#acquire();
      try {
        return (await thread.run(task, input, functions)) as Result;
      } finally {
        this.#release(thread);
      }
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await Promise.all([...this.#all].map((thread) => thread.end()));
    this.#all.clear();
  }

  #acquire(): Thread {
    clearTimeout(this.#idleTimer);
    const thread = this.#idle.pop() ?? new Thread(this.#options.limits);
    this.#all.add(thread);
    return thread;
  }

  #release(thread: Thread): void {
    if (thread.isOver) this.#all.delete(thread);
    else this.#idle.push(thread);
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#endIdle(), this.#options.idleMs).unref();
  }

  #endIdle(): void {
    for (const thread of this.#idle.splice(0)) {
      this.#all.delete(thread);
      void thread.end();
    }
  }
}
