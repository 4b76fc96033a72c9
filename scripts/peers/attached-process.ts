import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs its arguments, and ends them as soon as its standard input ends, which it does when we say so and also when we are
 * killed: a server started here never outlives us. A group of its own keeps a Ctrl-C from the terminal away from it.
 */
const attach = `
exec 3<&0
"$@" 3<&- & peer=$!
{ cat <&3 >/dev/null; kill -TERM $peer; } 2>/dev/null & watch=$!
wait $peer; code=$?
kill $watch 2>/dev/null
exit $code`;

/**
 * Starts a command that ends, by SIGTERM, when the standard input of what is given back ends, and so when we are gone.
 * Its exit code is the command's; a SIGKILL goes to the whole group: `process.kill(-child.pid, "SIGKILL")`.
 */
export function spawnAttached(name: string, command: readonly string[], options: AttachedOptions): ChildProcess {
  const { output, environment, folder } = options;
  return spawn("/bin/sh", ["-c", attach, name, ...command], {
    detached: true,
    stdio: ["pipe", output, output],
    ...(environment ? { env: environment } : {}),
    ...(folder ? { cwd: folder } : {}),
  });
}

interface AttachedOptions {
  /** Where both of its outputs go: a file's descriptor, or pipes of the child given back. */
  output: number | "pipe";
  /** The environment of this process unless given. */
  environment?: NodeJS.ProcessEnv;
  folder?: URL;
}

const stopLimitMs = 30_000;

/** A server process that lives no longer than this one. */
export class AttachedProcess {
  readonly #name: string;
  readonly #logFile: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(name: string, logFile: string, child: ChildProcess) {
    this.#name = name;
    this.#logFile = logFile;
    this.#child = child;
    this.#ended = once(child, "exit");
  }

  /** Its output goes to `logFile`, which is truncated first; its environment is ours unless another is given. */
  static async start(
    name: string,
    logFile: string,
    command: readonly string[],
    environment?: NodeJS.ProcessEnv,
  ): Promise<AttachedProcess> {
    const log = await open(logFile, "w");
    const child = spawnAttached(name, command, { output: log.fd, ...(environment ? { environment } : {}) });
    const attached = new AttachedProcess(name, logFile, child);
    await once(child, "spawn").finally(() => log.close());
    return attached;
  }

  /** The process whose only child it is. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits until `isReady` says so. @throws with the end of its output if it ends before, or takes too long. */
  async ready(isReady: (log: string) => boolean | Promise<boolean>, limitMs: number): Promise<void> {
    for (const until = Date.now() + limitMs; Date.now() < until; await delay(25)) {
      const log = await readFile(this.#logFile, "utf8");
      if (await isReady(log)) return;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`${this.#name} ended at once: ${log.slice(-2_000)}`);
      }
    }
    const log = await readFile(this.#logFile, "utf8");
    await this.stop();
    throw new Error(`${this.#name} did not start within ${limitMs / 1_000} s: ${log.slice(-2_000)}`);
  }

  /** Asks it to end, and waits until it has: by SIGKILL where it takes longer. */
  async stop(limitMs = stopLimitMs): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.stdin?.end();
    const given = new AbortController();
    const killer = delay(limitMs, undefined, { signal: given.signal }).then(
      () => this.kill(),
      () => undefined,
    );
    await this.#ended;
    given.abort();
    await killer;
  }

  /** Ends it by SIGKILL. */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    process.kill(-pid, "SIGKILL");
    await this.#ended;
  }
}
