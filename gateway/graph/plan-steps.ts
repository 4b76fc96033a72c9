import type { Experimental_DidResolveQueryPlanCallback, GraphQLDataSource } from "@apollo/gateway";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import type { GraphContext } from "./context.ts";

/** What Apollo's gateway tells of a plan that it is about to execute; its planner's own types are of a package within it. */
export type ResolvedPlan = Parameters<Experimental_DidResolveQueryPlanCallback>[0];
export type PlanNode = Exclude<NonNullable<ResolvedPlan["queryPlan"]["node"]>, { kind: "Subscription" }>;
type FetchNode = Extract<PlanNode, { kind: "Fetch" }>;
type QueryPlanSelectionNode = NonNullable<FetchNode["requires"]>[number];

type Path = readonly (string | number)[];
type Entity = Record<string, unknown>;

/** The execution of one plan. */
interface PlanRun {
  readonly sources: ReadonlyMap<string, GraphQLDataSource<GraphContext>>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GraphContext;
  /** All that services have given so far, merged. */
  readonly data: Entity;
  readonly errors: GraphQLError[];
}

/** Where in the data a step goes on. */
interface Cursor {
  path: Path;
  at: unknown;
}

/** Whether a plan consists of fetches alone, in whatever order, that give what they were asked for under its own names. */
export function isPlain(node: PlanNode): boolean {
  if (node.kind === "Fetch")
    return !node.inputRewrites && !node.outputRewrites && !node.contextRewrites && (node.requires ?? []).every(isKey);
  if (node.kind === "Flatten") return isPlain(node.node);
  return (node.kind === "Sequence" || node.kind === "Parallel") && node.nodes.every(isPlain);
}

/** `... on Type { __typename id }` */
function isKey(selection: QueryPlanSelectionNode): boolean {
  return (
    selection.kind === "InlineFragment" &&
    selection.typeCondition !== undefined &&
    selection.selections.every((each) => each.kind === "Field" && !each.selections && !each.alias)
  );
}

/** Asks the services as a plain plan says. Their errors are of the run; it throws none. */
export async function executePlanNode(
  node: PlanNode,
  run: PlanRun,
  cursor: Cursor = { path: [], at: run.data },
): Promise<void> {
  switch (node.kind) {
    case "Sequence":
      for (const each of node.nodes) await executePlanNode(each, run, cursor);
      return;
    case "Parallel":
      await Promise.all(node.nodes.map((each) => executePlanNode(each, run, cursor)));
      return;
    case "Flatten": {
      const at = valuesAt(cursor.at, node.path);
      return at === undefined || at === null
        ? undefined
        : executePlanNode(node.node, run, { path: [...cursor.path, ...node.path], at });
    }
    case "Fetch":
      return fetchPart(node, run, cursor).catch((error: unknown) => {
        run.errors.push(new GraphQLError(error instanceof Error ? error.message : String(error)));
      });
    default:
      throw new Error(`a plan with ${node.kind} is not plain`);
  }
}

async function fetchPart(node: FetchNode, run: PlanRun, cursor: Cursor): Promise<void> {
  const entities = (Array.isArray(cursor.at) ? cursor.at : [cursor.at]).filter(isPresent);
  if (entities.length === 0) return;
  const variables = Object.fromEntries(
    (node.variableUsages ?? []).flatMap((name) =>
      run.variables[name] === undefined ? [] : [[name, run.variables[name]]],
    ),
  );
  if (!node.requires) {
    const data = await ask(node, run, cursor, variables);
    for (const entity of entities) merge(entity, data);
    return;
  }
  const { requires } = node;
  const asked = entities.flatMap((entity) => {
    const representation = representationOf(entity, requires);
    return representation ? [{ entity, representation }] : [];
  });
  if (asked.length === 0) return;
  const representations = asked.map(({ representation }) => representation);
  const data = await ask(node, run, cursor, { ...variables, representations });
  if (!data) return;
  const found = data["_entities"];
  if (!Array.isArray(found) || found.length !== asked.length)
    throw new Error(`Expected "data._entities" to contain ${asked.length} elements`);
  for (const [index, { entity }] of asked.entries()) merge(entity, found[index] as Entity | null);
}

async function ask(
  { serviceName, operation, operationName }: FetchNode,
  { sources, context, data, errors }: PlanRun,
  { path }: Cursor,
  variables: Record<string, unknown>,
): Promise<Entity | null | undefined> {
  const source = sources.get(serviceName);
  if (!source) throw new Error(`Couldn't find service with name "${serviceName}"`);
  const request = { query: operation, variables, ...(operationName === undefined ? {} : { operationName }) };
  // The rest of what Apollo would hand on is for sources over HTTP.
  const answer = await source.process({ request, context } as Parameters<typeof source.process>[0]);
  for (const error of answer.errors ?? []) {
    const { message, extensions } = error;
    errors.push(
      new GraphQLError(message, {
        path: pathOf(error, path, data),
        extensions: { ...extensions, serviceName },
      }),
    );
  }
  return answer.data as Entity | null | undefined;
}

/** Where an error of a service is in the whole answer. */
function pathOf({ path }: GraphQLFormattedError, within: Path, data: Entity): Path | undefined {
  if (!path) return undefined;
  const [first, index] = path;
  if (first !== "_entities" || typeof index !== "number") return [...within, ...path];
  return [...(placesAt(data, within)[index] ?? []), ...path.slice(2)];
}

/** The place of each value that `valuesAt` finds, nulls left out. */
function placesAt(value: unknown, [first, ...rest]: Path, place: Path = []): Path[] {
  if (!isPresent(value)) return [];
  if (first === undefined) return [place];
  if (Array.isArray(value)) {
    const next = first === "@" ? rest : [first, ...rest];
    return value.flatMap((each, index) => placesAt(each, next, [...place, index]));
  }
  return placesAt((value as Entity)[first], rest, [...place, first]);
}

/** What stands at a path, in which `@` is each of a list. */
function valuesAt(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined || !isPresent(value)) return value;
  if (first === "@") return (value as unknown as unknown[]).flatMap((each) => valuesAt(each, rest));
  return valuesAt((value as Entity)[first], rest);
}

/** What tells a service which of its entities is meant; undefined where that is not known. */
function representationOf(entity: Entity, requires: readonly QueryPlanSelectionNode[]): Entity | undefined {
  const representation: Entity = {};
  for (const each of requires) {
    if (each.kind !== "InlineFragment" || each.typeCondition !== entity["__typename"]) continue;
    for (const field of each.selections) {
      const name = field.kind === "Field" ? field.name : "";
      if (entity[name] === undefined) return undefined;
      representation[name] = entity[name];
    }
  }
  return representation["__typename"] ? representation : undefined;
}

/** Puts what a service gave to what others gave of the same. */
function merge(target: Entity, source: Entity | null | undefined): void {
  for (const [name, value] of Object.entries(source ?? {})) {
    const there = target[name];
    if (isEntity(there) && isEntity(value)) merge(there, value);
    else if (Array.isArray(there) && Array.isArray(value) && there.length === value.length)
      target[name] = there.map((each: unknown, index) => {
        const other: unknown = value[index];
        if (!isEntity(each) || !isEntity(other)) return other;
        merge(each, other);
        return each;
      });
    else target[name] = value;
  }
}

function isEntity(value: unknown): value is Entity {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPresent(value: unknown): value is Entity {
  return value !== null && value !== undefined;
}
