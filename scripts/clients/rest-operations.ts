import { openApiDocument } from "../../services/rest/documentation/openapi.ts";
import { endpoints } from "../../services/rest/endpoints.ts";
import { type Field, type NamedShape, oneOf, type RestOperation, type Shape } from "./shape.ts";

/** What of JSON Schema (2020-12) stands in /openapi.json. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: string | number | boolean;
  enum?: readonly (string | number | boolean | null)[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: readonly { in: string; name: string; required?: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: Readonly<Record<string, { schema?: Schema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

/** Of the paths that belong to programs; what serves programs that were written for other services is left out. */
const clientPath = /^\/api\/(?:postern\/)?v1\//;
const standaloneMethods = ["get", "post", "put", "patch", "delete"] as const;

export function restInterface(): { schemas: NamedShape[]; rest: RestOperation[] } {
  const shown = endpoints.filter(
    ({ path, method, tag }) => clientPath.test(path) && method !== "ANY" && tag !== "Password managers",
  );
  // The document's own form is wider than what stands in it.
  const document = JSON.parse(JSON.stringify(openApiDocument(shown, "http://127.0.0.1:8080"))) as {
    paths: Record<string, Record<string, Operation>>;
    components?: { schemas?: Record<string, Schema> };
  };
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({
    name,
    shape: shapeOf(schema),
  }));
  const rest = Object.entries(document.paths).flatMap(([path, methods]) =>
    standaloneMethods.flatMap((method) => {
      const operation = methods[method];
      return operation && answersJson(operation) ? [operationOf(path, method, operation)] : [];
    }),
  );
  return { schemas, rest };
}

function successes({ responses }: Operation) {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content }]) => content);
}

const linesOfJson = "application/x-ndjson";

/** Downloads are no documents: their URLs stand in documents. */
function answersJson(operation: Operation): boolean {
  return successes(operation).every(
    (content) => content === undefined || "application/json" in content || linesOfJson in content,
  );
}

function operationOf(path: string, method: string, operation: Operation): RestOperation {
  const { operationId: name, summary, parameters = [], requestBody } = operation;
  const fieldsIn = (place: string): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required = false, schema, description }) => ({
        name,
        shape: shapeOf(schema),
        isRequired: required,
        description,
      }));
  const body = requestBody?.content["application/json"]?.schema;
  const documents = successes(operation).map((content) =>
    content && linesOfJson in content ? { type: "array" } : content?.["application/json"]?.schema,
  );
  const answers = documents.flatMap((schema) => (schema ? [shapeOf(schema)] : []));
  return {
    name,
    summary,
    method: method.toUpperCase(),
    path,
    pathFields: fieldsIn("path"),
    queryFields: fieldsIn("query"),
    body: body && shapeOf(body),
    answer: answers.length > 0 ? oneOf(answers) : undefined,
    isAnswerOptional: documents.some((schema) => schema === undefined),
  };
}

function shapeOf(schema: Schema): Shape {
  const { $ref, type, enum: values, anyOf = schema.oneOf, allOf } = schema;
  if ($ref !== undefined) return { kind: "named", name: $ref.slice($ref.lastIndexOf("/") + 1) };
  if (schema.const !== undefined) return { kind: "literal", value: schema.const };
  if (values)
    return oneOf(values.map((value): Shape => (value === null ? { kind: "null" } : { kind: "literal", value })));
  if (anyOf) return oneOf(anyOf.map(shapeOf));
  if (allOf?.length === 1 && allOf[0]) return shapeOf(allOf[0]);
  if (Array.isArray(type)) return oneOf(type.map((each: string) => shapeOf({ ...schema, type: each })));
  if (type === "array") return { kind: "list", of: shapeOf(schema.items ?? {}) };
  if (type === "object") return objectOf(schema);
  if (type === "string" || type === "integer" || type === "number" || type === "boolean" || type === "null")
    return { kind: type };
  return { kind: "unknown" };
}

function objectOf({ properties, required = [], additionalProperties }: Schema): Shape {
  if (!properties)
    return {
      kind: "map",
      of: typeof additionalProperties === "object" ? shapeOf(additionalProperties) : { kind: "unknown" },
    };
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    shape: shapeOf(schema),
    isRequired: required.includes(name),
    description: schema.description,
  }));
  return { kind: "object", fields };
}
