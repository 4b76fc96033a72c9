import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from "zod-openapi";
import type { Endpoint } from "../http/endpoint.ts";
import { responseOf } from "./responses.ts";
import { apiDescription, pathDescriptions, tagDescriptions } from "./texts.ts";

/** Every method that OpenAPI can name. */
const methodsOfAny = ["get", "head", "put", "post", "delete", "options", "patch", "trace"] as const;

/** The OpenAPI 3.1 document, from the same declarations and schemas that route and validate. */
export function openApiDocument(endpoints: readonly Endpoint[], publicUrl: string) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const each of endpoints) {
    const path = paths[each.path] ?? {};
    paths[each.path] = path;
    for (const method of each.method === "ANY" ? methodsOfAny : [each.method.toLowerCase()])
      path[method] = operation(each, method);
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Postern",
      version: "1",
      description: apiDescription,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "Token", description: "The API token of GET /api/v1/api-token" },
        authentication: {
          type: "apiKey",
          in: "header",
          name: "Authentication",
          description: "An API key, or the API token",
        },
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The bearer token of POST /api/v1/auth",
        },
      },
    },
  });
}

const security: Record<Endpoint["credentials"], Record<string, string[]>[]> = {
  none: [],
  bearer: [{ bearer: [] }],
  "token or bearer": [{ token: [] }, { bearer: [] }],
};

const compatibilitySecurity: Record<string, string[]>[] = [{ authentication: [] }, { token: [] }, { bearer: [] }];

function operation(endpoint: Endpoint, method: string): ZodOpenApiOperationObject {
  const { name, tag, summary, description, credentials, responses } = endpoint;
  const suffix = `With${method.charAt(0).toUpperCase()}${method.slice(1)}`;
  return {
    operationId: endpoint.method === "ANY" ? `${name}${suffix}` : name,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: endpoint.compatibility ? compatibilitySecurity : security[credentials],
    ...parametersOf(endpoint),
    ...requestBodyOf(endpoint, method),
    responses: Object.fromEntries(
      Object.keys(responses).map((status) => [status, responseOf(Number(status), endpoint)]),
    ) as ZodOpenApiResponsesObject,
  };
}

function parametersOf({ path, query = {} }: Endpoint): Pick<ZodOpenApiOperationObject, "requestParams"> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [
    name,
    z.string().meta({ description: pathDescriptions[name] }),
  ]);
  const inQuery = Object.entries(query).map(([name, { schema, description }]) => [
    name,
    schema.optional().meta({ description }),
  ]);
  const requestParams = {
    ...(inPath.length > 0 ? { path: z.object(Object.fromEntries(inPath)) } : {}),
    ...(inQuery.length > 0 ? { query: z.object(Object.fromEntries(inQuery)) } : {}),
  };
  return Object.keys(requestParams).length > 0 ? { requestParams } : {};
}

/** A GET, HEAD or TRACE may carry a body, but OpenAPI gives it no meaning there. */
function requestBodyOf({ body, method: declared }: Endpoint, method: string) {
  if (body) return { requestBody: { required: true, content: { "application/json": { schema: body } } } };
  const isRecorded = declared === "ANY" && ["put", "post", "patch", "delete"].includes(method);
  return isRecorded ? { requestBody: { required: false, content: { "*/*": {} } } } : {};
}
