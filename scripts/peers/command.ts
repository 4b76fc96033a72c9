import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a command to its end. @throws with what it printed, if its exit code is not 0. */
export async function runCommand(command: string, args: readonly string[], limitMs: number): Promise<string> {
  const { stdout, stderr } = await run(command, [...args], { timeout: limitMs, maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      const printed = `${error.stdout ?? ""}${error.stderr ?? ""}`.trim();
      throw new Error(`${command} failed: ${printed.slice(-2_000) || error.message}`, { cause: error });
    },
  );
  return `${stdout}${stderr}`;
}

/** Whether a command can be run at all. */
export async function hasCommand(command: string, args: readonly string[]): Promise<boolean> {
  return run(command, [...args], { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}
