import type { RequestListener } from "node:http";
import type { BlobStore } from "./blobs/types.ts";
import type { ConfigCheck, ConfigDefinition, ConfigOf } from "./config.ts";
import type { StoredService } from "./db/secret-key-check.ts";
import type { Database } from "./db/types.ts";
import type { Consumer } from "./events/types.ts";
import type { Subgraph } from "./graph/subgraph.ts";
import type { SubgraphClient } from "./graph/subgraph-server.ts";
import type {
  AnyImplementation,
  AnyStreamImplementation,
  Client,
  Contract,
  Implementation,
  StreamClient,
  StreamImplementation,
} from "./rpc/contract.ts";
import type { BackgroundTask } from "./runtime/polling-task.ts";
import type { Settings } from "./runtime/settings.ts";
import type { Limits } from "./security/rate-limits.ts";
import type { Secrets } from "./security/secrets.ts";
import type { Logger } from "./telemetry/logger.ts";
import type { Metrics } from "./telemetry/metrics.ts";

type Needs = Readonly<Record<string, Contract>>;

/** What platform hands to every service. */
interface BaseContext<C extends ConfigDefinition, N extends Needs> {
  readonly name: string;
  readonly config: ConfigOf<C>;
  readonly settings: Settings;
  /** The rest of the installation runs in other processes. */
  readonly isPart: boolean;
  readonly secrets: Secrets;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The services that this one needs; each call is a promise that may reject with a ServiceError. */
  readonly rpc: { readonly [K in keyof N]: Client<N[K]> };
  readonly streams: { readonly [K in keyof N]: StreamClient<N[K]> };
  /** The HTTP side of a service, for the proxy in front of it. */
  readonly upstream: { readonly [K in keyof N]: RequestListener };
  /** Their parts of the graph, for the gateway. */
  readonly subgraphs: { readonly [K in keyof N]: SubgraphClient };
}

/** What a service with a schema of its own gets besides. */
interface StoreContext {
  readonly db: Database;
  readonly blobs: BlobStore;
}

/** Accepts connections: started last, stopped first. */
export interface Listener {
  readonly name: string;
  start(): Promise<void>;
  /** Accepts no more, and finishes what is in flight. */
  stop(): Promise<void>;
}

/** What a service is made of. */
interface ServiceParts<K extends Contract> {
  /** The implementation of its contract. */
  procedures?: Implementation<K>;
  streams?: StreamImplementation<K>;
  /** Its part of the graph. */
  subgraph?: () => Promise<Subgraph>;
  consumers?: readonly Consumer[];
  tasks?: readonly BackgroundTask[];
  listeners?: readonly Listener[];
  /** Its HTTP side, for its peers. */
  http?: RequestListener;
  /** What the public HTTP port answers (HTTP_PORT), besides health and metrics. */
  publicHttp?: RequestListener;
  /** Whether a proxy of ours stands in front of it, whose word on a request's trace is taken. */
  isBehindProxy?: boolean;
  /** The process is about to stop: ends the answers that would never end by themselves. */
  endStreams?(): void;
  /** Throws what is not ready, besides what platform sees by itself (database, bus, listeners). */
  ready?(): Promise<void>;
  /** Before the first call and after the last one. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

interface Definition<C extends ConfigDefinition, N extends Needs, K extends Contract> {
  readonly name: string;
  readonly config: C;
  /** What no variable shows by itself. */
  readonly configChecks?: readonly ConfigCheck[];
  readonly needs: N;
  readonly contract: K;
  /** Answers on the public HTTP port; one service of an installation. */
  readonly isPublic?: boolean;
}

/** A service as platform runs it, independent of its parts. */
export interface ServiceDefinition extends StoredService {
  /** Keeps messages, so that it needs the bucket where there is one: others may not even have its keys. */
  readonly keepsBlobs?: boolean;
  readonly config: ConfigDefinition;
  readonly configChecks?: readonly ConfigCheck[];
  readonly needs: Needs;
  readonly contract: Contract;
  readonly isPublic?: boolean;
  /** The folder of its numbered SQL files; absent: it has no schema. */
  readonly migrations?: URL;
  build(context: BuildContext): Promise<RunningParts>;
}

export type BuildContext = BaseContext<ConfigDefinition, Needs> & Partial<StoreContext>;

export type RunningParts = Omit<ServiceParts<Contract>, "procedures" | "streams"> & {
  procedures?: AnyImplementation;
  streams?: AnyStreamImplementation;
};

/** Declares a service with a schema of its own. */
export function defineService<C extends ConfigDefinition, N extends Needs, K extends Contract>(
  definition: Definition<C, N, K> & {
    readonly migrations: URL;
    readonly sealed?: StoredService["sealed"];
    readonly keepsBlobs?: boolean;
    build(context: BaseContext<C, N> & StoreContext): ServiceParts<K> | Promise<ServiceParts<K>>;
  },
): ServiceDefinition {
  return { ...definition, build: async (context) => (await definition.build(context as never)) as RunningParts };
}

/** Declares a service without a schema of its own. */
export function defineStatelessService<C extends ConfigDefinition, N extends Needs, K extends Contract>(
  definition: Definition<C, N, K> & { build(context: BaseContext<C, N>): ServiceParts<K> | Promise<ServiceParts<K>> },
): ServiceDefinition {
  return { ...definition, build: async (context) => (await definition.build(context as never)) as RunningParts };
}
