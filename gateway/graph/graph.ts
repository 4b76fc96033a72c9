import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { LRUCache } from "lru-cache";
import type { SubgraphClient } from "../../services/platform/graph/subgraph-server.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import { errorFormatter } from "./errors.ts";
import { isRecord } from "./json.ts";
import { KnownPlans, type QueryRequest } from "./known-plans.ts";
import type { HttpRequest, HttpResponse, InternalQuery, ThreadCalls } from "./protocol.ts";
import type { Bounds } from "./query-limits.ts";
import { subgraphSource } from "./subgraph-source.ts";
import type { Subscription, SubscriptionRequest } from "./subscription-query.ts";
import { ApolloThread, type Asking } from "./thread.ts";

interface GraphOptions {
  /** The services' parts, by service. */
  subgraphs: Readonly<Record<string, SubgraphClient>>;
  bounds: Bounds;
  hasIntrospection: boolean;
  logger: Logger;
  /** See ThreadOptions. */
  idleMs?: number;
}

/** A request to /graphql with its body. */
export interface GraphHttpRequest extends HttpRequest {
  /** What `text` is as JSON. */
  body: unknown;
}

/** Ways to say what may be answered, as clients put it. */
const keptAcceptances = 20;

/** The graph over all services. What is asked again and again is answered here, all else by Apollo's gateway in a thread of its own. */
export class Graph {
  readonly #thread: ApolloThread;
  readonly #known: KnownPlans;
  readonly #format: ReturnType<typeof errorFormatter>;
  /** The content type of an answer, as Apollo chose it, by what the client accepts. */
  readonly #contentTypes = new LRUCache<string, string>({ max: keptAcceptances });

  constructor({ subgraphs, bounds, hasIntrospection, logger, idleMs }: GraphOptions) {
    const sources = new Map(
      Object.entries(subgraphs).map(([service, client]) => [service, subgraphSource(service, client, logger)]),
    );
    this.#known = new KnownPlans(sources, bounds);
    this.#format = errorFormatter(logger);
    this.#thread = new ApolloThread({
      data: { bounds, hasIntrospection },
      sources,
      onReady: (schema) => this.#known.setSchema(schema),
      onPlanned: (query) => {
        try {
          this.#known.learn(query);
        } catch (error) {
          // This thread's stack is smaller than that of the one that read it.
          logger.warn({ err: error }, "a plan stays with Apollo");
        }
      },
      logger,
      idleMs,
    });
  }

  /** Starts the thread before somebody asks. @throws Outage where it cannot start */
  start(): Promise<void> {
    return this.#thread.start();
  }

  /** Somebody will ask soon, who need not wait for the thread to start then. */
  warmUp(): void {
    this.#thread.wake();
  }

  /** @throws Outage while the thread is started anew */
  ready(): void {
    this.#thread.ready();
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** @throws Outage; Refusal RateLimited where too many queries wait */
  async answer({ body, ...request }: GraphHttpRequest, asking: Asking): Promise<HttpResponse> {
    const accepted = acceptedBy(request);
    const contentType = this.#contentTypes.get(accepted);
    const known = contentType === undefined ? undefined : queryRequest(request, body);
    const answer = known && (await this.#known.answer(known, asking.context));
    if (answer && contentType !== undefined) {
      // As Apollo puts it, errors before data.
      const text = JSON.stringify({ errors: this.#formatted(answer.errors), data: answer.data });
      return { status: 200, headers: [["content-type", contentType]], body: `${text}\n` };
    }
    const made = await this.#thread.ask("http", request, asking);
    const [, chosen] = made.headers.find(([name]) => name === "content-type") ?? [];
    if (made.status === 200 && chosen !== undefined) this.#contentTypes.set(accepted, chosen);
    return made;
  }

  /** Answers a query that the gateway itself has written. @throws as `answer` */
  async ask(request: InternalQuery, asking: Asking): Promise<ThreadCalls["internal"]["response"]> {
    const known = await this.#known.answer(request, asking.context);
    if (!known) return this.#thread.ask("internal", request, asking);
    const errors = this.#formatted(known.errors);
    return { data: known.data, ...(errors ? { errors: errors as never } : {}) };
  }

  /** Reads a subscription. @throws Refusal ValidationFailed, and as `answer` */
  subscription(request: SubscriptionRequest, asking: Asking): Promise<Subscription> {
    return this.#thread.ask("subscription", request, asking);
  }

  #formatted(errors: readonly GraphQLError[]): GraphQLFormattedError[] | undefined {
    if (errors.length === 0) return undefined;
    return errors.map((error) => {
      const shown = error.toJSON();
      return this.#format({ ...shown, extensions: { code: "INTERNAL_SERVER_ERROR", ...shown.extensions } }, error);
    });
  }
}

function acceptedBy({ headers }: HttpRequest): string {
  return headers.find(([name]) => name === "accept")?.[1] ?? "";
}

/** What a request asks that may be known; undefined for anything that Apollo has to look at: forms of other sites, other methods, faults. */
function queryRequest({ method, headers }: HttpRequest, body: unknown): QueryRequest | undefined {
  const [, contentType = ""] = headers.find(([name]) => name === "content-type") ?? [];
  if (method !== "POST" || !/^application\/json(?:;|$)/.test(contentType) || !isRecord(body)) return undefined;
  const { query, operationName, variables, extensions } = body;
  if (operationName != null && typeof operationName !== "string") return undefined;
  if (variables != null && !isRecord(variables)) return undefined;
  const asked = { operationName: operationName ?? undefined, variables: variables ?? undefined };
  if (typeof query === "string" && extensions == null) return { ...asked, query };
  const hash = query == null && isRecord(extensions) ? persistedHash(extensions["persistedQuery"]) : undefined;
  return hash === undefined ? undefined : { ...asked, hash };
}

function persistedHash(persisted: unknown): string | undefined {
  if (!isRecord(persisted) || persisted["version"] !== 1) return undefined;
  const hash = persisted["sha256Hash"];
  return typeof hash === "string" ? hash : undefined;
}
