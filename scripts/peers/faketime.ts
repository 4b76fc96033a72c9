import { writeFile } from "node:fs/promises";
import { runCommand } from "./command.ts";
import { provideDebianPackages } from "./debian-package.ts";

const limitMs = 30_000;

/** The library of libfaketime for programs with threads, installed from the system's packages if it is not there. */
export async function provideFaketime(): Promise<string> {
  const find = async () =>
    /^.*\/libfaketimeMT\.so.*$/m.exec(
      await runCommand("dpkg", ["--listfiles", "libfaketime"], limitMs).catch(() => ""),
    );
  await provideDebianPackages(["libfaketime"], async () => (await find()) !== null);
  return (await find())?.[0] ?? "";
}

/** A clock that processes are given instead of the machine's: what measures durations runs on (libfaketime's README). */
export class FakeClock {
  readonly #file: string;
  /** What a process has in its environment to go by this clock. */
  readonly environment: Readonly<Record<string, string>>;

  private constructor(file: string, library: string) {
    this.#file = file;
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  }

  /** @param file is written; other users have to be able to read it */
  static async make(file: string): Promise<FakeClock> {
    const clock = new FakeClock(file, await provideFaketime());
    await clock.set(0);
    return clock;
  }

  /** From soon on it is so many seconds ahead of the machine's. */
  async set(aheadS: number): Promise<void> {
    await writeFile(this.#file, `${aheadS < 0 ? "" : "+"}${aheadS}\n`, { mode: 0o644 });
  }
}
