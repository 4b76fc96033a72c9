import type { ConfigOf } from "../config.ts";
import type { ServiceEvents } from "../events/service-events.ts";
import type { EventBus } from "../events/types.ts";
import { CallerStatements } from "../graph/caller-statement.ts";
import type { Subgraph } from "../graph/subgraph.ts";
import type { SubgraphServer } from "../graph/subgraph-server.ts";
import type { LocalService, Peers } from "../rpc/peers.ts";
import { type Serve, serveContract } from "../rpc/serve-contract.ts";
import type { Limits } from "../security/rate-limits.ts";
import type { Secrets } from "../security/secrets.ts";
import type { BuildContext, RunningParts, ServiceDefinition } from "../service.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Module } from "./lifecycle.ts";
import type { BackgroundTask } from "./polling-task.ts";
import type { Settings } from "./settings.ts";
import type { ServiceStore, Stores } from "./stores.ts";

interface ServiceUnitOptions {
  definition: ServiceDefinition;
  config: Readonly<Record<string, unknown>>;
  settings: Settings;
  isPart: boolean;
  secrets: Secrets;
  limits: Limits;
  logger: Logger;
  metrics: Metrics;
  peers: Peers;
  stores: Stores;
  /** Absent where events are left alone (the operator's command). */
  bus: EventBus | undefined;
  /** Where the service puts itself for the others of this process. */
  local: Map<string, LocalService>;
}

/** One service in a process: its modules, and what the HTTP listeners need of it. */
export class ServiceUnit {
  readonly definition: ServiceDefinition;
  readonly #options: ServiceUnitOptions;
  #store: ServiceStore | undefined;
  #parts: RunningParts | undefined;
  #local: LocalService | undefined;
  #events: ServiceEvents | undefined;

  constructor(options: ServiceUnitOptions) {
    this.definition = options.definition;
    this.#options = options;
  }

  get parts(): RunningParts {
    if (!this.#parts) throw new Error(`${this.definition.name} is not built yet`);
    return this.#parts;
  }

  /** How it answers its peers. */
  get serve(): Serve {
    return (name, input) => {
      if (!this.#local) throw new Error(`${this.definition.name} is called before it is built`);
      return this.#local.serve(name, input);
    };
  }

  /** Its part of the graph, if it has one. */
  get subgraph(): LocalService["subgraph"] {
    return this.#local?.subgraph;
  }

  /** The service itself: its store, then its parts, answering calls. */
  coreModules(): Module[] {
    const { name } = this.definition;
    return [
      {
        name,
        needs: ["limits", "stores"],
        start: async () => {
          try {
            await this.#start();
          } catch (error) {
            // Nobody stops what has not started, and the embedded database would cut its connections.
            await this.#store?.close();
            throw error;
          }
        },
        stop: async () => {
          await this.#parts?.stop?.();
          await this.#store?.close();
        },
        ready: async () => this.#parts?.ready?.(),
        checkDependencies: async () => this.#store?.db.ping(),
      },
    ];
  }

  /** What it does without being called: its consumers, background tasks and listeners. */
  activeModules(): Module[] {
    const { name } = this.definition;
    const events: Module = {
      name: `${name} events`,
      needs: [name, "bus"],
      start: async () => this.#events?.start(),
      stop: async () => this.#events?.stop(),
      checkDependencies: async () => this.#events?.ready(),
    };
    const tasks: Module = {
      name: `${name} tasks`,
      needs: [events.name],
      start: async () => {
        for (const task of this.#tasks) task.start();
      },
      stop: async () => {
        await Promise.all(this.#tasks.map((task) => task.stop()));
      },
    };
    const listeners: Module = {
      name: `${name} listeners`,
      needs: [tasks.name],
      start: async () => {
        for (const listener of this.parts.listeners ?? []) await listener.start();
      },
      stop: async () => {
        await Promise.all((this.parts.listeners ?? []).map((listener) => listener.stop()));
      },
    };
    return [events, tasks, listeners];
  }

  get #tasks(): readonly BackgroundTask[] {
    return [...(this.parts.tasks ?? []), ...(this.#store?.tasks ?? [])];
  }

  /** With the first query graphql is loaded and the schema read, which would take a quarter of a start. */
  #subgraphServer(load: () => Promise<Subgraph>, logger: Logger): () => Promise<SubgraphServer> {
    const { definition, secrets } = this.#options;
    let server: Promise<SubgraphServer> | undefined;
    const make = async () => {
      try {
        const [{ SubgraphServer }, subgraph] = await Promise.all([import("../graph/subgraph-server.ts"), load()]);
        return new SubgraphServer(definition.name, subgraph, new CallerStatements(secrets), logger);
      } catch (error) {
        server = undefined;
        throw error;
      }
    };
    return () => (server ??= make());
  }

  async #start(): Promise<void> {
    const { definition, settings, isPart, secrets, limits, metrics, peers, stores, bus, local } = this.#options;
    const { name, needs, contract } = definition;
    const logger = this.#options.logger.child({ service: name });
    this.#store = definition.migrations ? await stores.open(name, definition.migrations, logger) : undefined;
    const each = <T>(make: (service: ServiceDefinition["contract"]) => T) =>
      Object.fromEntries(Object.entries(needs).map(([key, needed]) => [key, make(needed)]));
    const context: BuildContext = {
      name,
      config: this.#options.config as ConfigOf<ServiceDefinition["config"]>,
      settings,
      isPart,
      secrets,
      limits,
      logger,
      metrics,
      rpc: each((needed) => peers.client(name, needed)) as BuildContext["rpc"],
      streams: each((needed) => peers.streams(name, needed)) as BuildContext["streams"],
      upstream: each((needed) => peers.upstream(needed.service)),
      subgraphs: each((needed) => peers.subgraph(name, needed.service)),
      ...(this.#store ? { db: this.#store.db, blobs: this.#store.blobs } : {}),
    };
    this.#parts = await definition.build(context);
    this.#local = {
      serve: serveContract(contract, this.#parts.procedures ?? {}, logger),
      streams: this.#parts.streams ?? {},
      http: this.#parts.http,
      subgraph: this.#parts.subgraph && this.#subgraphServer(this.#parts.subgraph, logger),
    };
    local.set(name, this.#local);
    await this.#parts.start?.();
    // Before the bus starts: it deletes an event once every consumer that it knows has committed.
    if (this.#store)
      this.#events = bus?.addService({
        name,
        db: this.#store.db,
        consumers: this.#parts.consumers ?? [],
        logger,
        metrics,
      });
  }
}
