import { Semaphore } from "../../platform/concurrency/semaphore.ts";
import type { Functions } from "./protocol.ts";
import { NotBegun, type WorkerLimits, WorkerProcess } from "./worker-process.ts";

interface WorkerPoolOptions {
  /** Workers that work at once; further tasks are queued. */
  readonly size: number;
  readonly limits: WorkerLimits;
  /** How long an idle worker is kept: its heap is given back when it ends. */
  readonly idleMs: number;
}

/** What works on tasks in workers. */
export type Workers = Pick<WorkerPool, "run">;

/** A few workers, started when there is work for them and ended when there is none. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #semaphore: Semaphore;
  readonly #idle: WorkerProcess[] = [];
  readonly #all = new Set<WorkerProcess>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.size);
  }

  /** Workers that were started and have not ended. */
  get workerCount(): number {
    return this.#all.size;
  }

  /**
   * Works on a task in a worker of its own heap.
   * @param begin gives what the task needs, once its turn has come; so that what waits holds nothing.
   * @throws BudgetExceeded; what `begin` or a function failed with.
   */
  run<Input, Result>(task: string, begin: () => Promise<{ input: Input; functions: Functions }>): Promise<Result> {
    return this.#semaphore.run(async () => {
      const { input, functions } = await begin();
      return (await this.#work(task, input, functions)) as Result;
    });
  }

  async #work(task: string, input: unknown, functions: Functions): Promise<unknown> {
    const worker = this.#acquire();
    try {
      return await worker.run(task, input, functions);
    } catch (error) {
      if (!(error instanceof NotBegun)) throw error;
    } finally {
      this.#release(worker);
    }
    // It ended while it was idle, and that was not known yet.
    return this.#work(task, input, functions);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await Promise.all([...this.#all].map((worker) => worker.end()));
    this.#all.clear();
  }

  #acquire(): WorkerProcess {
    clearTimeout(this.#idleTimer);
    const worker = this.#idleWorker() ?? new WorkerProcess(this.#options.limits);
    this.#all.add(worker);
    return worker;
  }

  /** One that ended since its last task, such as by the limit of its heap, would never answer. */
  #idleWorker(): WorkerProcess | undefined {
    for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) {
      if (!worker.isOver) return worker;
      this.#all.delete(worker);
    }
    return undefined;
  }

  #release(worker: WorkerProcess): void {
    if (worker.isOver) this.#all.delete(worker);
    else this.#idle.push(worker);
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#endIdle(), this.#options.idleMs).unref();
  }

  #endIdle(): void {
    for (const worker of this.#idle.splice(0)) {
      this.#all.delete(worker);
      void worker.end();
    }
  }
}
