import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { composeServices } from "@apollo/composition";
import { parse, printSchema } from "graphql";

const root = join(import.meta.dirname, "../..");

/** The services that have a part in the graph. */
const subgraphServices = ["auth", "bindings", "mailbox", "forwarder", "webhook"] as const;

interface Composed {
  /** What the gateway is started with. */
  supergraph: string;
  /** The schema that clients see. */
  api: string;
}

/** Composes the services' *.graphql files. @throws Error listing all that keeps them from forming one graph. */
export function composeSupergraph(): Composed {
  const services = subgraphServices.map((name) => ({
    name,
    url: `http://${name}:9090/graphql/${name}`,
    typeDefs: parse(schemaText(name)),
  }));
  const { supergraphSdl, schema, errors } = composeServices(services);
  if (errors?.length || !schema || !supergraphSdl)
    throw new Error((errors ?? []).map((error) => error.message).join("\n\n"));
  const api = schema.toAPISchema().toGraphQLJSSchema();
  return { supergraph: `${supergraphSdl.trim()}\n`, api: `${printSchema(api).trim()}\n` };
}

/** A service keeps its part of the graph in its folder `graph`. */
function schemaText(service: string): string {
  const folder = join(root, `services/${service}/graph`);
  const names = readdirSync(folder).filter((name) => name.endsWith(".graphql"));
  return names
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}
