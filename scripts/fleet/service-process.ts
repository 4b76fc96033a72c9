import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { heapOptions, startEnvironment } from "../../services/platform/runtime/garbage-collection.ts";
import { spawnAttached } from "../peers/attached-process.ts";
import { freePorts } from "../peers/free-ports.ts";
import { builtProgram } from "../services/built.ts";

interface ServiceProcessOptions {
  /** The --target of the process. */
  target: string;
  environment: NodeJS.ProcessEnv;
  /** Where its /readyz answers. */
  healthUrl: string;
  /** Gets each line that it prints. */
  onLine(line: string): void;
  /** Told when it ends without having been asked to. */
  onUnexpectedEnd?(target: string, reason: string): void;
  /** The checkout that it runs from, with a slash at its end, and with its own bundle if its release has one; this one unless given. */
  folder?: URL;
}

/** How long a process may take from its start to being ready. */
const readyTimeoutMs = 120_000;

/** Of what a process writes, how many of the last lines an error tells. */
const keptLines = 20;

const thisCheckout = new URL("../..", import.meta.url);
const bundledProgram = "dist/main.js";

/** One process of an installation: started, waited for, stopped or killed. */
export class ServiceProcess {
  readonly options: ServiceProcessOptions;
  #child: ChildProcess | undefined;
  #isAskedToEnd = false;
  #lastLines: string[] = [];
  /** What it has written to standard error: why it cannot start. */
  #complaint: string[] = [];
  #closed: Promise<unknown> = Promise.resolve();

  constructor(options: ServiceProcessOptions) {
    this.options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The process whose only child it is. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Another of the same, as a deployment adds a pod: on ports of its own, and not started. */
  async another(): Promise<ServiceProcess> {
    const [internal = 0, http = 0, smtp = 0] = await freePorts(3);
    const ports = { INTERNAL_PORT: String(internal), HTTP_PORT: String(http), SMTP_PORT: String(smtp) };
    return new ServiceProcess({
      ...this.options,
      environment: { ...this.options.environment, ...ports },
      healthUrl: `http://127.0.0.1:${internal}`,
    });
  }

  /** Where it listens, by the variable that says so: INTERNAL_PORT, HTTP_PORT or SMTP_PORT. */
  port(variable: "INTERNAL_PORT" | "HTTP_PORT" | "SMTP_PORT"): number {
    return Number(this.options.environment[variable]);
  }

  start(): void {
    const { target, environment, onLine, onUnexpectedEnd, folder = thisCheckout } = this.options;
    this.#isAskedToEnd = false;
    const command = [process.execPath, ...heapOptions, programOf(folder), `--target=${target}`];
    const child = spawnAttached(target, command, {
      output: "pipe",
      environment: { ...environment, ...startEnvironment },
      folder,
    });
    this.#child = child;
    this.#lastLines = [];
    this.#complaint = [];
    const take = (line: string) => {
      this.#lastLines = [...this.#lastLines.slice(1 - keptLines), line];
      onLine(line);
    };
    const complain = (line: string) => {
      this.#complaint = [...this.#complaint.slice(1 - keptLines), line];
      take(line);
    };
    this.#closed = once(child, "close");
    if (child.stdout) createInterface({ input: child.stdout }).on("line", take);
    if (child.stderr) createInterface({ input: child.stderr }).on("line", complain);
    child.once("exit", (code, signal) => {
      if (!this.#isAskedToEnd) onUnexpectedEnd?.(target, signal ?? `exit code ${code}`);
    });
  }

  /** @throws Error when it ends before it is ready, or is not ready in time; the message says what it waited for, and the last that it wrote. */
  async ready(): Promise<void> {
    const deadline = Date.now() + readyTimeoutMs;
    let last = "no answer";
    while (Date.now() < deadline) {
      if (!this.isRunning) {
        // Its last lines may still be on their way.
        await Promise.race([this.#closed, delay(1_000)]);
        const reason = this.#complaint.length > 0 ? `: ${this.#complaint.join("\n")}` : "";
        throw new Error(`${this.options.target} ended before it was ready${reason}`);
      }
      try {
        const answer = await fetch(`${this.options.healthUrl}/readyz`, { signal: AbortSignal.timeout(5_000) });
        if (answer.ok) return;
        last = await answer.text();
      } catch (error) {
        last = String(error);
      }
      await delay(100);
    }
    const said = this.#lastLines.join("\n");
    throw new Error(`${this.options.target} was not ready within ${readyTimeoutMs / 1000} s: ${last}\n${said}`);
  }

  /** Asks it to finish its work and exit. @returns its exit code. */
  async stop(timeoutMs = 40_000): Promise<number | null> {
    const timer = setTimeout(() => this.#killGroup(), timeoutMs);
    const exitCode = await this.#end((child) => child.stdin?.end());
    clearTimeout(timer);
    return exitCode;
  }

  /** Ends it at once, as a lost machine would. */
  async kill(): Promise<void> {
    await this.#end(() => this.#killGroup());
  }

  async #end(ask: (child: ChildProcess) => void): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.isRunning) return child?.exitCode ?? null;
    this.#isAskedToEnd = true;
    const exited = once(child, "exit");
    ask(child);
    await exited;
    return child.exitCode;
  }

  #killGroup(): void {
    if (this.#child?.pid !== undefined && this.isRunning) process.kill(-this.#child.pid, "SIGKILL");
  }
}

/** Release 0.1 ran from its sources. */
function programOf(folder: URL): string {
  if (folder.href === thisCheckout.href) return builtProgram("main");
  return existsSync(new URL(bundledProgram, folder)) ? bundledProgram : "services/main.ts";
}
