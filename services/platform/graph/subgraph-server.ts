import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { asServiceError, faultOf, Refusal, type ServiceError } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { annotate, answeringKind, withSpan } from "../telemetry/spans.ts";
import type { CallerStatements } from "./caller-statement.ts";
import { errorExtensions } from "./error-codes.ts";
import { GraphRequest, type SessionChange } from "./graph-request.ts";
import type { Subgraph } from "./subgraph.ts";

/** What the gateway asks of a service. */
export interface SubgraphQuery {
  query: string;
  operationName?: string | undefined;
  variables?: Record<string, unknown> | undefined;
  /** Who is asking, signed by the gateway. */
  statement: string;
}

export interface SubgraphAnswer {
  data?: Record<string, unknown> | null;
  errors?: GraphQLFormattedError[];
  sessionChange?: SessionChange;
  /** A mutation has signed somebody in, who asks for the rest. */
  statement?: string;
}

/** How long whoever asks a subgraph waits for its answer. */
interface SubgraphQueryOptions {
  /** The client has hung up. */
  disconnected?: AbortSignal | undefined;
  /** How long fields of the query may wait, beside the time that any query may take. */
  waitMs?: number | undefined;
}

export type SubgraphClient = (query: SubgraphQuery, options?: SubgraphQueryOptions) => Promise<SubgraphAnswer>;

/** The gateway's query plans repeat: a bounded number of their documents is kept, parsed and validated. */
const keptDocuments = 500;

/** Answers the gateway's queries of one service. */
export class SubgraphServer {
  readonly #service: string;
  readonly #subgraph: Subgraph;
  readonly #statements: CallerStatements;
  readonly #logger: Logger;
  readonly #documents: Documents;

  constructor(service: string, subgraph: Subgraph, statements: CallerStatements, logger: Logger) {
    this.#service = service;
    this.#subgraph = subgraph;
    this.#statements = statements;
    this.#logger = logger;
    this.#documents = new Documents(subgraph.schema);
  }

  /** @throws Refusal Forbidden without a valid statement, MalformedRequest for what is no query of this schema. */
  execute(
    { query, operationName, variables, statement }: SubgraphQuery,
    disconnected = new AbortController().signal,
  ): Promise<SubgraphAnswer> {
    return withSpan(`graph ${this.#service}`, { kind: answeringKind() }, async () => {
      const contextValue = new GraphRequest(this.#statements.read(statement), this.#subgraph.makeLoaders, disconnected);
      const { data, errors } = await execute({
        schema: this.#subgraph.schema,
        document: this.#documents.get(query),
        operationName,
        variableValues: variables,
        contextValue,
      });
      return {
        data: data ?? null,
        ...(errors ? { errors: this.#shown(errors) } : {}),
        ...(contextValue.sessionChange ? { sessionChange: contextValue.sessionChange } : {}),
        ...(contextValue.hasNewCaller ? { statement: this.#statements.sign(contextValue.statement) } : {}),
      };
    });
  }

  /**
   * What is shown of errors: never a stack, never the operator's side; that stands in the log under the same id. What is refused for one
   * reason many times, such as a field of each node of a list, is one entry there.
   */
  #shown(errors: readonly GraphQLError[]): GraphQLFormattedError[] {
    const loggedIds = new Map<string, string>();
    return errors.map((error) => {
      const refusal = asThrown(error);
      refusal.service ??= this.#service;
      const reason = `${refusal.kind} ${refusal.publicMessage}`;
      const loggedId = loggedIds.get(reason);
      if (loggedId === undefined) this.#log(refusal, error.path?.join("."));
      const id = loggedId ?? refusal.id;
      if (refusal.status < 500) loggedIds.set(reason, id);
      return {
        message: refusal.publicMessage,
        ...(error.path ? { path: error.path } : {}),
        extensions: { ...errorExtensions(refusal, this.#service), id },
      };
    });
  }

  #log(refusal: ServiceError, path: string | undefined): void {
    const { id, kind, status, message } = refusal;
    annotate({ "postern.error.id": id, "error.type": kind });
    if (status >= 500) this.#logger.error({ id, kind, path, err: faultOf(refusal) }, message);
    else this.#logger.info({ id, kind, path, reason: message }, "request refused");
  }
}

/** What GraphQL itself finds wrong with the arguments is the caller's fault; anything unforeseen is ours. */
function asThrown(error: GraphQLError): ServiceError {
  if (error.originalError) return asServiceError(error.originalError);
  return new Refusal("ValidationFailed", { public: error.message });
}

/** Documents by their text, parsed and found valid. */
class Documents {
  readonly #schema: GraphQLSchema;
  readonly #kept = new LRUCache<string, DocumentNode>({ max: keptDocuments });

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  get(text: string): DocumentNode {
    const kept = this.#kept.get(text);
    if (kept) return kept;
    const document = this.#checked(text);
    this.#kept.set(text, document);
    return document;
  }

  #checked(text: string): DocumentNode {
    try {
      const document = parse(text);
      const [fault] = validate(this.#schema, document);
      if (fault) throw fault;
      return document;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      throw new Refusal("MalformedRequest", { public: `Not a query of this schema: ${error.message}`, cause: error });
    }
  }
}
