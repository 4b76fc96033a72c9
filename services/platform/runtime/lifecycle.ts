import { asError, ConfigurationError, messageOf, Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";

/** A part of the process that is started and stopped by itself. */
export interface Module {
  readonly name: string;
  /** Names of the modules that must have started before this one; it is stopped before them. */
  readonly needs: readonly string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Rejects while the module itself is not ready; asks no other process. Absent: ready once started. */
  ready?(): Promise<void>;
  /** Rejects while a store or a broker that it needs is out of reach. */
  checkDependencies?(): Promise<void>;
}

export interface Waiting {
  module: string;
  reason: string;
}

/** What probes of a process are told. */
export interface Readiness {
  /** What keeps it from its work, as far as that can be seen now; empty when it is ready. */
  waiting(): Promise<Waiting[]>;
  /**
   * What keeps connections and calls from being led to it. Until it was ready once that is the same; after that only what is its own. Stores and
   * brokers are mostly out of reach for all processes of a service at once, and each says so to whoever asks; were none led to, nobody would be answered.
   */
  waitingToServe(): Promise<Waiting[]>;
}

/** Starts modules in the order of their needs, stops them in reverse. */
export class Lifecycle implements Readiness {
  readonly #modules: readonly Module[];
  readonly #logger: Logger;
  readonly #started: Module[] = [];
  #hasBeenReady = false;
  #state: "new" | "starting" | "started" | "stopping" | "stopped" = "new";

  constructor(modules: readonly Module[], logger: Logger) {
    this.#modules = inOrder(modules);
    this.#logger = logger;
  }

  /** @throws the error of the first module that cannot start; those that had started are stopped again. */
  async start(): Promise<void> {
    this.#state = "starting";
    for (const module of this.#modules) {
      try {
        await module.start();
        this.#started.push(module);
      } catch (error) {
        // What is wrong with the configuration is said at the end, whether it was found here or before.
        if (!(error instanceof ConfigurationError)) {
          const cause = error instanceof Outage ? { reason: error.operatorMessage } : { err: error };
          this.#logger.error({ module: module.name, ...cause }, "cannot start a module");
        }
        await this.stop();
        throw asError(error);
      }
      if (this.#isStopping()) return;
    }
    this.#state = "started";
  }

  async waiting(): Promise<Waiting[]> {
    const missing = await this.#missing(async (module) => {
      await module.checkDependencies?.();
      await module.ready?.();
    });
    this.#hasBeenReady ||= missing.length === 0;
    return missing;
  }

  async waitingToServe(): Promise<Waiting[]> {
    return this.#hasBeenReady ? this.#missing(async (module) => module.ready?.()) : this.waiting();
  }

  async #missing(check: (module: Module) => Promise<void>): Promise<Waiting[]> {
    const outcomes = await Promise.all(
      this.#started.map(async (module) => {
        try {
          await check(module);
          return undefined;
        } catch (error) {
          return {
            module: module.name,
            reason: error instanceof Outage ? `${error.what} is out of reach` : messageOf(error),
          };
        }
      }),
    );
    // It may have begun to stop meanwhile.
    if (this.#state !== "started") return [{ module: "process", reason: this.#state }];
    return outcomes.filter((outcome) => outcome !== undefined);
  }

  /** Not ready from here on; each module finishes what is in progress. If one fails to stop, the others are still stopped. */
  async stop(): Promise<void> {
    this.#state = "stopping";
    for (let module = this.#started.pop(); module; module = this.#started.pop()) {
      try {
        await module.stop();
      } catch (error) {
        this.#logger.error({ module: module.name, err: error }, "module did not stop cleanly");
      }
    }
    this.#state = "stopped";
  }

  #isStopping(): boolean {
    return this.#state === "stopping" || this.#state === "stopped";
  }
}

/** Modules so that each comes after all that it needs, otherwise in the order given. */
function inOrder(modules: readonly Module[]): Module[] {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const ordered = new Set<Module>();
  const visit = (module: Module, path: readonly string[]): void => {
    if (ordered.has(module)) return;
    if (path.includes(module.name)) throw new Error(`modules need each other: ${[...path, module.name].join(" → ")}`);
    for (const need of module.needs) {
      const needed = byName.get(need);
      if (!needed) throw new Error(`module ${module.name} needs ${need}, which is not there`);
      visit(needed, [...path, module.name]);
    }
    ordered.add(module);
  };
  for (const module of modules) visit(module, []);
  return [...ordered];
}
