import { messageOf } from "../../../services/platform/errors.ts";

/** One thing that has to hold; throws what is wrong. */
export type Step = readonly [name: string, run: () => Promise<unknown>];

/** Steps, each on what the one before it left, and what takes all of it away again. */
interface UnderTest {
  steps: readonly Step[];
  dispose(): Promise<unknown>;
}

/** What can be run by itself. */
export interface Part {
  name: string;
  start(): Promise<UnderTest>;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Runs parts, each up to its first step that fails; the last line counts steps, and the exit code is 1 if one failed. */
export async function runParts(parts: readonly Part[]): Promise<void> {
  let passed = 0;
  let failed = 0;
  for (const { name: part, start } of parts) {
    let step = "before anything";
    let dispose: (() => Promise<unknown>) | undefined;
    try {
      const tested = await start();
      dispose = tested.dispose;
      for (const [name, act] of tested.steps) {
        step = name;
        await act();
        passed++;
        say(`passed  ${part}: ${name}`);
      }
    } catch (error) {
      failed++;
      say(`FAILED  ${part}: ${step}: ${messageOf(error)}`);
    } finally {
      await dispose?.();
    }
  }
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
