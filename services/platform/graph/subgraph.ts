import { readdirSync, readFileSync } from "node:fs";
import { buildSubgraphSchema } from "@apollo/subgraph";
import { type GraphQLField, GraphQLScalarType, type GraphQLSchema, parse } from "graphql";
import type { Database } from "../db/types.ts";
import { deadEventResolvers } from "./dead-event-resolvers.ts";
import type { GraphRequest } from "./graph-request.ts";
import { guardScopes } from "./scopes.ts";

/** ISO 8601 in UTC. Services carry times as such strings already, so there is nothing to convert. */
const dateTime = new GraphQLScalarType<string, string>({
  name: "DateTime",
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
});

/** What gives a field its value. Source and arguments have the shape that the schema says. */
export type Resolver<Loaders> = (source: never, args: never, request: GraphRequest<Loaders>) => unknown;

/** Fields that are not simply a member of their source, by type. */
export type Resolvers<Loaders> = Readonly<Record<string, Readonly<Record<string, Resolver<Loaders>>>>>;

/** Finds entities by their key when another service refers to one, by type. */
export type EntityResolvers<Loaders> = Readonly<
  Record<string, (reference: never, request: GraphRequest<Loaders>) => unknown>
>;

/** A service's part of the graph. */
export interface Subgraph {
  readonly schema: GraphQLSchema;
  readonly makeLoaders: (request: GraphRequest) => unknown;
}

interface SubgraphDeclaration<Loaders> {
  /** Its subgraph.graphql; what is too long for one file stands in others beside it. */
  sdl: URL;
  resolvers: Resolvers<Loaders>;
  entities: EntityResolvers<Loaders>;
  /** Whose dead events the operator's area shows. */
  deadEventsOf: { service: string; db: Database };
  /** What batches the reads of one request. */
  loaders(request: GraphRequest): Loaders;
}

/** Declares a service's part of the graph: its schema from a file, over the same functions as its RPC. */
export function defineSubgraph<Loaders>(declaration: SubgraphDeclaration<Loaders>): Subgraph {
  const { sdl, loaders } = declaration;
  const { resolvers, entities } = withDeadEvents(declaration);
  const typeDefs = parse(schemaText(sdl));
  const types = [...new Set([...Object.keys(resolvers), ...Object.keys(entities)])].map((type) => [
    type,
    { ...resolvers[type], ...(entities[type] ? { __resolveReference: entities[type] } : {}) },
  ]);
  const module = { typeDefs, resolvers: { DateTime: dateTime, ...Object.fromEntries(types) } };
  const schema = buildSubgraphSchema([module]);
  guardScopes(schema);
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) settle(field);
  return { schema, makeLoaders: loaders as Subgraph["makeLoaders"] };
}

/** What a mutation gives is awaited: a member that fails, and that nobody asked for, would fail unheard and end the process. */
function settle(field: GraphQLField<unknown, unknown>): void {
  const { resolve } = field;
  if (!resolve) return;
  field.resolve = async (...given) => {
    const members = Object.entries(await (resolve(...given) as Promise<object>));
    return Object.fromEntries(await Promise.all(members.map(async ([name, value]) => [name, await value] as const)));
  };
}

/** Every service's part of the operator's area has these; see its operator.graphql. */
function withDeadEvents<Loaders>({
  deadEventsOf,
  resolvers,
  entities,
}: SubgraphDeclaration<Loaders>): Pick<SubgraphDeclaration<Loaders>, "resolvers" | "entities"> {
  const { fields, mutations } = deadEventResolvers(deadEventsOf.service, deadEventsOf.db);
  return {
    resolvers: {
      ...resolvers,
      Operator: { ...resolvers["Operator"], ...fields },
      Mutation: { ...resolvers["Mutation"], ...mutations },
    },
    // What leads here is no proof of the right: each field asks for it.
    entities: { ...entities, Operator: (reference: never) => reference },
  };
}

/** All *.graphql files of a service's folder `graph`. */
function schemaText(sdl: URL): string {
  const folder = new URL("./", sdl);
  const names = readdirSync(folder).filter((name) => name.endsWith(".graphql"));
  return names
    .sort()
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("\n");
}
