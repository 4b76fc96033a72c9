import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  buildSchema,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  parse,
} from "graphql";
import { composeSupergraph } from "../../../scripts/graph/compose.ts";
import { scopeNeededBy } from "../../../services/platform/graph/scopes.ts";
import type { NeededScope } from "../../../services/platform/security/scopes.ts";

interface RootField {
  service: string;
  type: string;
  field: string;
  /** What it declares by `@scope`. */
  needed: NeededScope | undefined;
}

/** The root fields of every service's part of the graph. */
export async function rootFields(): Promise<RootField[]> {
  const services = join(import.meta.dirname, "../../../services");
  const entries = await readdir(services, { recursive: true });
  const parts = entries.filter((path) => /^\w+\/graph\/.*\.graphql$/.test(path));
  const found = await Promise.all(
    parts.map(async (path) => rootFieldsOf(path.split("/")[0] ?? "", await readFile(join(services, path), "utf8"))),
  );
  return found.flat();
}

function rootFieldsOf(service: string, sdl: string): RootField[] {
  return parse(sdl)
    .definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_DEFINITION || each.kind === Kind.OBJECT_TYPE_EXTENSION)
    .filter(({ name }) => ["Query", "Mutation"].includes(name.value))
    .flatMap(({ name, fields = [] }) =>
      fields.map((field) => ({ service, type: name.value, field: field.name.value, needed: scopeNeededBy([field]) })),
    );
}

const schema = buildSchema(composeSupergraph().api);

/** A valid document that asks for one root field, its needed arguments made up. */
export function documentOf({ type, field }: Pick<RootField, "type" | "field">): string {
  const declared = (type === "Query" ? schema.getQueryType() : schema.getMutationType())?.getFields()[field];
  if (!declared) throw new Error(`the graph has no ${type}.${field}`);
  const needed = declared.args.filter((each) => isNonNullType(each.type) && each.defaultValue === undefined);
  const given = needed.map((each) => `${each.name}: ${literal(each.type)}`);
  const selection = isLeafType(getNamedType(declared.type)) ? "" : " { __typename }";
  return `${type.toLowerCase()} { ${field}${given.length > 0 ? `(${given.join(", ")})` : ""}${selection} }`;
}

function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "";
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter(
      (each) => isNonNullType(each.type) && each.defaultValue === undefined,
    );
    return `{${needed.map((each) => `${each.name}: ${literal(each.type)}`).join(", ")}}`;
  }
  return { Int: "1", Float: "1.0", Boolean: "true" }[type.name] ?? '"x"';
}
