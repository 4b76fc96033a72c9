import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { builtProgram } from "../../../scripts/services/built.ts";
import type { Installation } from "./installation.ts";

const run = promisify(execFile);

/** `npm run admin -- WORDS --json` beside an installation, and what it answered. @throws with its complaint. */
export async function admin<T>({ environment }: Pick<Installation, "environment">, ...words: string[]): Promise<T> {
  const cwd = new URL("../../..", import.meta.url);
  const { stdout } = await run(process.execPath, [builtProgram("admin"), ...words, "--json"], {
    cwd,
    env: environment,
  });
  return JSON.parse(stdout) as T;
}
