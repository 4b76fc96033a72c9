import { AsyncLocalStorage } from "node:async_hooks";
import { Worker } from "node:worker_threads";
import type { GraphQLDataSource } from "@apollo/gateway";
import { asServiceError, messageOf, Outage } from "../../services/platform/errors.ts";
import { connectionLost } from "../../services/platform/net/connection-lost.ts";
import { decodeError } from "../../services/platform/rpc/wire-errors.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import { withSpan } from "../../services/platform/telemetry/spans.ts";
import type { GraphContext } from "./context.ts";
import { FairQueue } from "./fair-queue.ts";
import type { FromThread, PlannedQuery, SubgraphRequest, ThreadCalls, ThreadData, ToThread } from "./protocol.ts";

interface ThreadOptions {
  data: ThreadData;
  /** By service. */
  sources: ReadonlyMap<string, GraphQLDataSource<GraphContext>>;
  /** The graph's schema, each time that the thread has started. */
  onReady(schema: string): void;
  onPlanned(query: PlannedQuery): void;
  logger: Logger;
  /** After so long without a request the thread ends; the next request starts it. */
  idleMs?: number | undefined;
}

/** Who asks. */
export interface Asking {
  context: GraphContext;
  /** Those of one asker take their turn with all others: an account, or an address without one. */
  asker: string;
}

interface PendingCall extends Asking {
  id: number;
  kind: keyof ThreadCalls;
  request: unknown;
  /** Runs what is done for it within its own trace. */
  within: <R>(run: () => R) => R;
  answered: PromiseWithResolvers<unknown>;
}

/** Documents that the thread has been given and not yet planned. One is read at a time; the other keeps it from waiting for this thread. */
const maxUnplanned = 2;
/** Apollo holds 80 MB; a document of a thousand words takes a few more. */
const heapMb = 512;
const restartMs = 1_000;
/** It starts within a second, which nobody should wait for in the middle of a visit. */
const usualIdleMs = 5 * 60_000;

/**
 * The thread that Apollo's gateway runs in: while a document is validated and planned nothing else runs, which is up to 0.15 s for one of
 * a thousand words. What ends the thread costs the requests in it, and the next one is started. While nobody asks anything that needs it there is
 * none, which is 40 MB less for a process that only forwards mail.
 */
export class ApolloThread {
  readonly #options: ThreadOptions;
  readonly #queue = new FairQueue<PendingCall>();
  /** All that the thread works on, by id. */
  readonly #asked = new Map<number, PendingCall>();
  /** Of them, those that are not planned. */
  readonly #unplanned = new Set<number>();
  #worker: Worker | undefined;
  #isReady = false;
  /** Nothing has needed it since the process started, or for `idleMs`. */
  #isResting = true;
  #isStopping = false;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Resolves once it takes requests. @throws what ended it before */
  start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { data, logger } = this.#options;
    const worker = new Worker(new URL("./apollo-worker.ts", import.meta.url), {
      name: "graph",
      workerData: data,
      // It needs nothing else of the environment, which holds secrets. Of a developer's process graphql checks each value, and Apollo the supergraph.
      env: { NODE_ENV: "production" },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    let cause: unknown;
    worker.on("message", (message: FromThread) => {
      if ("ready" in message) resolve();
      this.#take(message);
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      const outage = new Outage("gateway", { operator: "the graph's thread has ended", cause });
      reject(outage);
      // It was to end, and another may have started.
      if (worker !== this.#worker) return;
      const wasReady = this.#isReady;
      this.#end(outage);
      if (this.#isStopping || !wasReady) return;
      logger.error({ err: cause }, "the graph's thread has ended, starting another");
      this.#restart();
    });
    this.#worker = worker;
    return promise;
  }

  /** @throws Outage, or the Refusal of the request; Refusal RateLimited where too many wait */
  async ask<Kind extends keyof ThreadCalls>(
    kind: Kind,
    request: ThreadCalls[Kind]["request"],
    { context, asker }: Asking,
  ): Promise<ThreadCalls[Kind]["response"]> {
    return withSpan("apollo", {}, async () => {
      const within = AsyncLocalStorage.snapshot();
      const answered = Promise.withResolvers<unknown>();
      this.#queue.add(asker, { id: ++this.#lastId, kind, request, context, asker, within, answered });
      this.wake();
      this.#giveNext();
      return answered.promise as Promise<ThreadCalls[Kind]["response"]>;
    });
  }

  /** Starts the thread if it rests, for who will soon ask. */
  wake(): void {
    clearTimeout(this.#idle);
    if (this.#isResting && !this.#worker) this.#startOrRestart();
    else if (this.#isReady && this.#asked.size === 0) this.#restSoon();
  }

  /** @throws Outage while it is started anew after what ended it */
  ready(): void {
    if (!this.#isReady && !this.#isResting)
      throw new Outage("gateway", { operator: "the graph's thread has not started" });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #restart(): void {
    setTimeout(() => this.#startOrRestart(), restartMs).unref();
  }

  #startOrRestart(): void {
    if (this.#isStopping) return;
    this.start().catch((error: unknown) => {
      this.#isResting = false;
      this.#options.logger.error({ err: error }, "cannot start the graph's thread");
      this.#restart();
    });
  }

  #restSoon(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#rest(), this.#options.idleMs ?? usualIdleMs).unref();
  }

  #rest(): void {
    if (!this.#isReady || this.#asked.size > 0) return;
    this.#isResting = true;
    this.#isReady = false;
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  /** Gives the thread as many requests as it may have; those whose client has hung up are left out. */
  #giveNext(): void {
    while (this.#isReady && this.#unplanned.size < maxUnplanned) {
      const next = this.#queue.next();
      if (!next) break;
      const { id, kind, request, context, answered } = next;
      if (context.disconnected?.aborted) {
        answered.reject(connectionLost());
        continue;
      }
      try {
        this.#post({ id, kind, request });
        this.#asked.set(id, next);
        this.#unplanned.add(id);
      } catch (error) {
        // It is nested more deeply than can be copied.
        answered.reject(error);
      }
    }
    if (this.#isReady && this.#asked.size === 0) this.#restSoon();
  }

  #take(message: FromThread): void {
    const { logger, onReady, onPlanned } = this.#options;
    if ("ready" in message) {
      onReady(message.ready.schema);
      this.#isReady = true;
      this.#isResting = false;
    } else if ("planned" in message) onPlanned(message.planned);
    else if ("level" in message) {
      const { id = 0, level, said } = message;
      const write = () => (logger[level] as (...said: unknown[]) => void)(...said);
      (this.#asked.get(id)?.within ?? ((run) => run()))(write);
    } else {
      this.#unplanned.delete(message.id);
      const call = this.#asked.get(message.id);
      if ("part" in message) void call?.within(() => this.#answerPart(message, call));
      else {
        this.#asked.delete(message.id);
        if ("refused" in message) call?.answered.reject(decodeError(message.refused));
        else call?.answered.resolve(message.response);
      }
    }
    this.#giveNext();
  }

  async #answerPart(
    { part, service, asked }: { part: number; service: string; asked: SubgraphRequest },
    { context }: PendingCall,
  ): Promise<void> {
    const worker = this.#worker;
    const post = (message: ToThread) => {
      // Another has been started meanwhile.
      if (worker === this.#worker) this.#post(message);
    };
    try {
      const source = this.#options.sources.get(service);
      if (!source) throw new Error(`the supergraph knows ${service}, and the gateway does not`);
      // The rest of what Apollo would hand on is for sources over HTTP.
      const response = await source.process({ request: asked, context } as Parameters<typeof source.process>[0]);
      post({ part, response });
    } catch (error) {
      post({ part, failed: messageOf(asServiceError(error)) });
    }
  }

  #post(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #end(outage: Outage): void {
    this.#isReady = false;
    for (const { answered } of this.#asked.values()) answered.reject(outage);
    this.#asked.clear();
    this.#unplanned.clear();
  }
}
