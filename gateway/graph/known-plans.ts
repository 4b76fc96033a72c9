import { hash as digest } from "node:crypto";
import type { GraphQLDataSource } from "@apollo/gateway";
import {
  buildSchema,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { GraphContext } from "./context.ts";
import { executePlanNode, type PlanNode } from "./plan-steps.ts";
import type { PlannedQuery } from "./protocol.ts";
import { type Bounds, tooLarge } from "./query-limits.ts";
import { type Shaping, shapeOf } from "./result-shape.ts";

interface KnownPlan {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  node: PlanNode;
  shape: NonNullable<ReturnType<typeof shapeOf>>;
}

/** A query by its text, or by the SHA-256 of it. */
export interface QueryRequest {
  query?: string | undefined;
  hash?: string | undefined;
  operationName?: string | undefined;
  variables?: Readonly<Record<string, unknown>> | undefined;
}

interface QueryResult {
  data: Record<string, unknown> | null;
  errors: readonly GraphQLError[];
}

/** A page of the web application asks four operations or so; programs ask few others. */
const keptPlans = 300;

/**
 * Plans that Apollo's gateway has made, executed by ourselves from the third time on, in the gateway's own thread: it reads the whole operation
 * anew and asks each value for its type and directives, which cost more than the services' answers. What is not plain stays with Apollo, and
 * so does what comes out incomplete without an error to say why.
 */
export class KnownPlans {
  readonly #kept = new LRUCache<string, KnownPlan>({ max: keptPlans });
  readonly #sources: ReadonlyMap<string, GraphQLDataSource<GraphContext>>;
  readonly #bounds: Bounds;
  #schema: GraphQLSchema | undefined;

  /** @param sources by service */
  constructor(sources: ReadonlyMap<string, GraphQLDataSource<GraphContext>>, bounds: Bounds) {
    this.#sources = sources;
    this.#bounds = bounds;
  }

  /** @param schema what clients see of the graph */
  setSchema(schema: string): void {
    this.#schema ??= buildSchema(schema, { noLocation: true, assumeValid: true });
  }

  learn(planned: PlannedQuery): void {
    const { text, operationName, node } = planned;
    const document = parse(text, { noLocation: true });
    const operation = getOperationAST(document, operationName);
    const shape = this.#schema && operation && shapeOf(this.#schema, document, operation);
    if (operation && shape) this.#kept.set(planKey(planned), { document, operation, node, shape });
  }

  /** Undefined where Apollo has to answer. A query changes nothing, so that it may be asked twice. */
  async answer(
    { query, hash, operationName, variables = {} }: QueryRequest,
    context: GraphContext,
  ): Promise<QueryResult | undefined> {
    const known = this.#kept.get(
      planKey({ hash: query === undefined ? (hash ?? "") : digest("sha256", query), operationName }),
    );
    if (!known || !this.#schema) return undefined;
    const { document, operation, node, shape } = known;
    const { variableDefinitions = [] } = operation;
    if (getVariableValues(this.#schema, variableDefinitions, variables, { maxErrors: 1 }).errors) return undefined;
    if (tooLarge(this.#schema, document, variables, this.#bounds, operation) !== undefined) return undefined;
    const errors: GraphQLError[] = [];
    const data = {};
    await executePlanNode(node, { sources: this.#sources, variables, context, data, errors });
    const shaping: Shaping = { isIncomplete: false };
    const shaped = shape(data, shaping) as Record<string, unknown> | null;
    return shaping.isIncomplete && errors.length === 0 ? undefined : { data: shaped, errors };
  }
}

/** An operation of a document. */
export function planKey({ hash, operationName = "" }: Pick<PlannedQuery, "hash" | "operationName">): string {
  return `${hash} ${operationName}`;
}
