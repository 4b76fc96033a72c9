import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A kill comes once, at the next message file that is written to; the others stay until they are ended. */
export type FileFault =
  | "killed before the append"
  | "killed amid the append"
  | "killed before the flush"
  | "killed before the commit"
  | "killed before the answer"
  | "held before the commit"
  | "no flush succeeds";

/** What befalls a process while it writes message files (injected-file-faults.ts). */
export class FileFaults {
  readonly #orders = join(tmpdir(), `postern-file-faults-${process.pid}`);
  /** What a process has in its environment to be told. */
  readonly environment: Readonly<Record<string, string>> = {
    FILE_FAULTS: this.#orders,
    NODE_OPTIONS: `--import=${new URL("injected-file-faults.ts", import.meta.url).href}`,
  };

  /** At once; it may have written no file yet since. */
  async begin(fault: FileFault): Promise<void> {
    await writeFile(this.#orders, fault);
  }

  async end(): Promise<void> {
    await rm(this.#orders, { force: true });
  }

  /** One line each: "flushed PATH", "failed PATH", "held"; "killed PATH POSITION", where the write began that never got its rows. */
  async log(): Promise<string[]> {
    return (await readFile(`${this.#orders}.log`, "utf8").catch(() => "")).split("\n").filter(Boolean);
  }

  /** Where the write began beside which a process was killed; undefined where none was killed beside one. */
  async lastWrite(): Promise<{ path: string; position: number } | undefined> {
    const line = (await this.log()).findLast((each) => each.startsWith("killed "));
    const [, path, position] = line?.split(" ") ?? [];
    return path === undefined ? undefined : { path, position: Number(position) };
  }

  async dispose(): Promise<void> {
    for (const file of [this.#orders, `${this.#orders}.log`]) await rm(file, { force: true });
  }
}
