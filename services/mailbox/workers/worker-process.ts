import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { asError } from "../../platform/errors.ts";
import { BudgetExceeded } from "./budget-exceeded.ts";
import { cpuTimeMs } from "./cpu-time.ts";
import type { FromWorker, Functions, ToWorker } from "./protocol.ts";

export interface WorkerLimits {
  /** Of the worker's heap. */
  readonly heapMb: number;
  /** CPU time that one task may take. */
  readonly cpuMs: number;
  /** Time that one task may take in all, with what it waits for. */
  readonly timeMs: number;
}

type FunctionCall = Extract<FromWorker, { call: string }>;

const entry = fileURLToPath(new URL("./content-worker.ts", import.meta.url));
const semiSpaceMb = 2;
const youngHeapMb = 3 * semiSpaceMb;
const cpuPollMs = 100;
const complaintCharacters = 2_000;
/** V8 aborts or traps where the heap has reached its limit; the kernel kills where the machine has. */
const crashSignals: readonly (NodeJS.Signals | null)[] = [
  "SIGABRT",
  "SIGTRAP",
  "SIGILL",
  "SIGSEGV",
  "SIGBUS",
  "SIGKILL",
];
/** A core file would hold mail. Where memory runs out, the kernel is to end this process before the service. */
const startNode = 'ulimit -c 0; { echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"';

/** A worker ended before it had the task, which is not to blame for it. */
export class NotBegun extends Error {}

/**
 * A process that works on one task at a time, and is ended where one costs too much. It is no thread, because V8 ends the whole process
 * where a single operation goes far beyond a thread's heap limit.
 */
export class WorkerProcess {
  readonly #limits: WorkerLimits;
  readonly #child: ChildProcess;
  #complaint = "";
  #isBusy = false;
  #hasWorked = false;
  #isOver = false;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
    const heapFlags = [`--max-old-space-size=${limits.heapMb - youngHeapMb}`, `--max-semi-space-size=${semiSpaceMb}`];
    const command = [process.execPath, ...heapFlags, entry];
    this.#child = spawn("/bin/sh", ["-c", startNode, "sh", ...command], {
      // It needs nothing of the environment, which holds secrets.
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.stderr?.on("data", (text) => {
      this.#complaint = `${this.#complaint}${text}`.slice(-complaintCharacters);
    });
    const onEnd = () => {
      this.#isOver = true;
    };
    // A worker that failed must not be given another task before its "exit" has come.
    this.#child.once("error", onEnd).once("disconnect", onEnd).once("exit", onEnd);
    this.#setReferenced(false);
  }

  /** Whether it was ended: it takes no more tasks. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * @throws NotBegun, not of the first task; BudgetExceeded or an error of a function, after which the worker is ended; or any other error
   * of the task.
   */
  async run(task: string, input: unknown, functions: Functions): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // Only its first task may be to blame before that: one that is too large to be read is given to a new worker again.
    let isBegun = !this.#hasWorked;
    const onMessage = (message: FromWorker) => {
      if ("begun" in message) isBegun = true;
      else if ("done" in message) resolve(message.done);
      else if ("failed" in message) reject(Object.assign(new Error(message.failed.message), message.failed));
      else void this.#answer(message, functions).catch(end);
    };
    const end = (error: unknown) => {
      reject(asError(error));
      void this.end();
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      if (!isBegun) reject(new NotBegun());
      else if (crashSignals.includes(signal)) reject(new BudgetExceeded("memory"));
      else reject(new Error(`the worker ended with ${signal ?? code}: ${this.#complaint}`));
    };
    const stopWatching = this.#watch(end);
    this.#child.on("message", onMessage).on("error", reject).on("exit", onExit);
    this.#isBusy = true;
    this.#setReferenced(true);
    this.#post({ task, input });
    try {
      return await promise;
    } finally {
      stopWatching();
      this.#isBusy = false;
      this.#hasWorked = true;
      this.#setReferenced(false);
      this.#child.off("message", onMessage).off("error", reject).off("exit", onExit);
    }
  }

  /** At once where it works on a task. */
  async end(): Promise<void> {
    this.#isOver = true;
    const { exitCode, signalCode, pid } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exit = once(this.#child, "exit");
    if (this.#isBusy) this.#child.kill("SIGKILL");
    else if (this.#child.connected) this.#child.disconnect();
    await exit;
  }

  /** Whether this process waits for it before it ends. */
  #setReferenced(isReferenced: boolean): void {
    if (isReferenced) this.#child.ref();
    else this.#child.unref();
    if (isReferenced) this.#child.channel?.ref();
    else this.#child.channel?.unref();
  }

  async #answer({ id, call, argument }: FunctionCall, functions: Functions): Promise<void> {
    const called = functions[call];
    if (!called) throw new Error(`a worker called ${call}, which is not there`);
    this.#post({ id, result: await called(argument as never) });
  }

  #post(message: ToWorker): void {
    // Where it has ended, "exit" tells why.
    this.#child.send(message, () => undefined);
  }

  /** Calls `end` once the task has taken too much. @returns what stops the watch. */
  #watch(end: (error: Error) => void): () => void {
    const startedAt = performance.now();
    const { pid = 0 } = this.#child;
    const atStart = cpuTimeMs(pid);
    let isOver = false;
    const timer = setInterval(async () => {
      if (performance.now() - startedAt > this.#limits.timeMs)
        end(new Error(`a task took longer than ${this.#limits.timeMs} ms`));
      const used = ((await cpuTimeMs(pid)) ?? 0) - ((await atStart) ?? 0);
      if (!isOver && used > this.#limits.cpuMs) end(new BudgetExceeded("cpu"));
    }, cpuPollMs).unref();
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }
}
