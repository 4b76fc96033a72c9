import type { RequestListener } from "node:http";
import type { Counter } from "prom-client";
import { type ConfigDefinition, defineConfig, url } from "../config.ts";
import { httpSubgraph, inProcessSubgraph } from "../graph/subgraph-clients.ts";
import type { SubgraphClient, SubgraphServer } from "../graph/subgraph-server.ts";
import type { InternalTls } from "../security/internal-tls.ts";
import type { Secrets } from "../security/secrets.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { httpClient, inProcessClient } from "./client.ts";
import type { AnyStreamImplementation, Client, Contract } from "./contract.ts";
import { type Send, sender } from "./send.ts";
import type { Serve } from "./serve-contract.ts";
import type { ServiceTokens } from "./service-tokens.ts";
import { httpStreams, inProcessStreams } from "./streams.ts";

/** A service of this process, as the others in it reach it. */
export interface LocalService {
  serve: Serve;
  streams: AnyStreamImplementation;
  http: RequestListener | undefined;
  /** Made with the first call. */
  subgraph: (() => Promise<SubgraphServer>) | undefined;
}

/** Where a peer of another process is reached. */
function peerVariable(peer: string): string {
  return `${peer.toUpperCase()}_URL`;
}

export function peersConfig(peers: readonly string[]): ConfigDefinition {
  return defineConfig(
    Object.fromEntries(
      peers.map((peer) => [
        peerVariable(peer),
        url(["http", "https"], `http://${peer}:9090`).describe(`Where ${peer}'s internal listener is reached`),
      ]),
    ),
  );
}

/** How long a service may wait for the outside while its caller waits for it (a test of a callback). */
const outsideCallMs = 15_000;

interface PeerOptions {
  /** The services of this process, by name; filled while they are built. */
  local: ReadonlyMap<string, LocalService>;
  /** Which services run in this process at all. */
  localNames: ReadonlySet<string>;
  /** Base URLs of the others. */
  urls: Readonly<Record<string, unknown>>;
  secrets: Secrets;
  tokens: ServiceTokens;
  metrics: Metrics;
  timeoutMs: number;
  logger: Logger;
  /** Absent: peers are called over plain HTTP. */
  tls?: InternalTls | undefined;
}

/** Makes the clients that call a peer. Only this class knows whether the peer runs in this process. */
export class Peers {
  readonly #options: PeerOptions;
  readonly #calls: Counter;
  readonly #send: Send;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#send = sender(options.tls);
    this.#calls = options.metrics.counter(
      "postern_peer_calls_total",
      "Calls to other services, in this process or not",
      ["service", "way"],
    );
  }

  /** @param caller the service that calls */
  client(caller: string, contract: Contract) {
    const { tokens, timeoutMs } = this.#options;
    const { service } = contract;
    const client = this.#isLocal(service)
      ? inProcessClient(contract, () => this.#local(service).serve)
      : httpClient(contract, {
          url: this.#url(service),
          timeoutMs,
          token: () => tokens.token(caller, service),
          formerToken: () => tokens.formerToken(caller),
          send: this.#send,
        });
    return this.#counted(service, client);
  }

  streams(caller: string, contract: Contract) {
    const { secrets, timeoutMs } = this.#options;
    const { service } = contract;
    return this.#isLocal(service)
      ? inProcessStreams(contract, () => this.#local(service).streams)
      : httpStreams(contract, { url: this.#url(service), caller, secrets, timeoutMs, send: this.#send });
  }

  upstream(service: string): RequestListener {
    if (!this.#isLocal(service)) {
      const { logger, tls } = this.#options;
      const url = this.#url(service);
      let proxy: Promise<RequestListener> | undefined;
      return async (request, response) => {
        // Loaded by who hands requests on: the gateway.
        proxy ??= import("../http/proxy.ts").then(({ proxyTo }) => proxyTo(service, url, { logger, tls }));
        (await proxy)(request, response);
      };
    }
    return (request, response) => {
      const { http } = this.#local(service);
      if (!http) throw new Error(`${service} has no HTTP side`);
      return http(request, response);
    };
  }

  /** A peer's part of the graph. Its deadline leaves a mutation time for one call of its own to the outside. */
  subgraph(caller: string, service: string): SubgraphClient {
    const { tokens, timeoutMs } = this.#options;
    const client = this.#isLocal(service)
      ? inProcessSubgraph(() => this.#localSubgraph(service))
      : httpSubgraph({
          url: this.#url(service),
          service,
          timeoutMs: timeoutMs + outsideCallMs,
          token: () => tokens.token(caller, service),
          send: this.#send,
        });
    return (query, options) => {
      this.#calls.inc({ service, way: "graph" });
      return client(query, options);
    };
  }

  #counted<C extends Contract>(service: string, client: Client<C>): Client<C> {
    const calls = Object.entries<(input: never) => Promise<unknown>>(client).map(([name, call]) => [
      name,
      (input: never) => {
        this.#calls.inc({ service, way: "rpc" });
        return call(input);
      },
    ]);
    return Object.fromEntries(calls);
  }

  async #localSubgraph(service: string): Promise<SubgraphServer> {
    const { subgraph } = this.#local(service);
    if (!subgraph) throw new Error(`${service} has no part in the graph`);
    return subgraph();
  }

  #isLocal(service: string): boolean {
    return this.#options.localNames.has(service);
  }

  #local(service: string): LocalService {
    const local = this.#options.local.get(service);
    if (!local) throw new Error(`${service} is called before it is built`);
    return local;
  }

  #url(service: string): string {
    const given = String(this.#options.urls[peerVariable(service)]);
    // With certificates everything is encrypted, even if the URL says http.
    return this.#options.tls ? given.replace(/^http:/, "https:") : given;
  }
}
