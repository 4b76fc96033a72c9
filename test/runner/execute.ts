import { type ChildProcess, spawn } from "node:child_process";

/** How a child process ended, and what it wrote if it was asked to keep quiet. */
export interface ProcessResult {
  readonly code: number;
  readonly output: string;
  readonly timedOut: boolean;
}

const graceMs = 10_000;
const drainMs = 2_000;
const running = new Set<ChildProcess>();

/** The child leads a process group of its own, so that what it started can be ended with it. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Ends every group that is still running: for a Ctrl-C, which does not reach groups other than ours. */
export function endAll(signal: NodeJS.Signals): void {
  for (const child of running) signalGroup(child, signal);
}

/**
 * Runs a command to its end, or ends it and all that it started once `limitS` seconds have passed.
 * @param options.quiet keep its output for the caller instead of showing it
 */
export function execute(
  [command, ...commandArguments]: readonly [string, ...string[]],
  options: { limitS: number; quiet: boolean; environment?: Readonly<Record<string, string>> },
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let timedOut = false;
    const child = spawn(command, commandArguments, {
      detached: true,
      env: { ...process.env, ...options.environment },
      stdio: options.quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    running.add(child);
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    let killing: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => {
      timedOut = true;
      signalGroup(child, "SIGTERM");
      killing = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
    }, options.limitS * 1000);
    let isSettled = false;
    const settle = (code: number): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(limit);
      clearTimeout(killing);
      running.delete(child);
      resolve({ code, output: Buffer.concat(chunks).toString("utf8"), timedOut });
    };
    child.on("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      settle(127);
    });
    child.on("exit", (code) => {
      signalGroup(child, "SIGKILL"); // whatever it left behind in its group
      setTimeout(settle, drainMs, code ?? 1).unref(); // a stray that still holds our pipe must not keep us waiting
    });
    child.on("close", (code) => settle(code ?? 1));
  });
}
