import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

export interface OpenApi {
  components: object;
  paths: Record<string, Record<string, Operation>>;
}

interface Asked {
  method: string;
  path: string;
}

interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

const documents = new Map<string, Promise<OpenApi>>();

/** What an installation says of itself. */
export function openApi(baseUrl: string): Promise<OpenApi> {
  const document = documents.get(baseUrl) ?? fetch(`${baseUrl}/openapi.json`).then(async (answer) => answer.json());
  documents.set(baseUrl, document as Promise<OpenApi>);
  return document as Promise<OpenApi>;
}

/** @throws Error when the answer's status is not declared for the operation, or its document does not fit the schema. */
export async function expectDeclared(baseUrl: string, { method, path }: Asked, answer: Answered): Promise<void> {
  const name = `${method} ${path.slice(0, 100)} answered ${answer.status}`;
  const document = await openApi(baseUrl);
  const address = path.replace(/[?#].*$/, "");
  const template = isWellEncoded(address) ? templateOf(Object.keys(document.paths), address) : undefined;
  const operation = template && operationOf(document.paths[template] ?? {}, method);
  if (!operation) {
    // Nothing is declared for it: it can be nothing but a refusal in the contract's shape.
    expectOne(name, [400, 404, 405], answer.status);
    return;
  }
  expectOne(name, Object.keys(operation.responses).map(Number), answer.status);
  if (method === "HEAD") return;
  const content = operation.responses[answer.status]?.content;
  const type = String(answer.headers["content-type"] ?? "").replace(/;.*$/, "");
  if (content === undefined) expectOne(`${name} with the content type`, [""], type);
  else if (!content["*/*"]) expectOne(`${name} with the content type`, Object.keys(content), type);
  const schema = content?.[type]?.schema;
  if (schema)
    expectValid(name, `${template} ${method} ${answer.status}`, () => validatorOf(document, schema), answer.body);
}

function expectOne<T>(name: string, allowed: readonly T[], found: T): void {
  if (!allowed.includes(found)) throw new Error(`${name}: ${found} is none of ${allowed.join(", ")}`);
}

/** What is no encoding of anything (RFC 3986 section 2.1) is the address of nothing. */
function isWellEncoded(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function templateOf(templates: readonly string[], path: string): string | undefined {
  const matches = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`, "i").test(path);
  return templates.find(matches);
}

const nameable = ["GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH", "TRACE"];

/** OpenAPI cannot name every method: a path that takes TRACE takes whatever there is. */
function operationOf(operations: Record<string, Operation>, method: string): Operation | undefined {
  const standIn = { HEAD: operations["get"] }[method] ?? (nameable.includes(method) ? undefined : operations["trace"]);
  return operations[method.toLowerCase()] ?? standIn;
}

// OpenAPI's own words (example …) are none of JSON Schema's.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

/** References in the schema are looked up among the document's components. */
export function validatorOf({ components }: OpenApi, schema: object): ValidateFunction {
  return ajv.compile({ components, ...schema });
}

const validators = new Map<string, ValidateFunction>();

function expectValid(name: string, key: string, made: () => ValidateFunction, body: unknown): void {
  const validate = validators.get(key) ?? made();
  validators.set(key, validate);
  if (!validate(body)) throw new Error(`${name}: ${JSON.stringify(validate.errors)}`);
}
