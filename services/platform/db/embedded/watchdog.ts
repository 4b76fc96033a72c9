import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { serverEnvironment } from "./cluster.ts";

/** A small process of its own that stops the server when this process ends without having done so, by SIGKILL for one. */
export class Watchdog {
  readonly #process;
  readonly #ended: Promise<unknown>;

  constructor(dataFolder: string) {
    this.#process = spawn("sh", [join(import.meta.dirname, "watchdog.sh"), dataFolder], {
      env: serverEnvironment,
      // Not in our process group: what is sent to that must not end the one that is to outlive us.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    // It holds on to nothing but our end of this pipe. If it is gone itself, the next start does its work.
    this.#process.stdin.on("error", () => this.#process.stdin.destroy());
    this.#ended = once(this.#process, "close").catch(() => undefined);
    this.#process.unref();
  }

  /** Says which server it is to stop: the next owner's is none of its business. */
  watch(server: ChildProcess): void {
    this.#process.stdin.write(`${server.pid}\n`);
  }

  /** Ends it, now that there is nothing to watch. */
  async dismiss(): Promise<void> {
    this.#process.ref();
    this.#process.stdin.end("stopped\n");
    await this.#ended;
  }
}
