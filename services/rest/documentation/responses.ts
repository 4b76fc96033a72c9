import type { z } from "zod";
import { type ErrorKind, errorStatuses } from "../../platform/error-kinds.ts";
import { formatBytes } from "../../platform/http/read-body.ts";
import { type Endpoint, standardBodyLimitBytes } from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";

/** What a status means, where the endpoint's own description does not say it. */
const meanings: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Taken; what follows happens by itself.",
  204: "Removed.",
  400: "The body is not JSON.",
  401: "No credentials, or wrong or expired ones.",
  403: "These credentials do not allow it.",
  404: "Missing, or somebody else's: the two look alike.",
  409: "In conflict with what is there.",
  410: "It was there, and is no longer kept.",
  415: "The body is in a content coding that is not taken; Accept-Encoding says which are.",
  422: "Well-formed and wrong; the message names the member.",
  429: "Too many requests; Retry-After says when to ask again.",
  503: "Something that this needs is out of reach; Retry-After says when to ask again.",
};

/** One refusal of each status, as an example. */
const examples: Readonly<Record<number, { kind: ErrorKind; message: string; service: string }>> = {
  400: { kind: "MalformedRequest", message: "The request body is not JSON.", service: "rest" },
  401: { kind: "CredentialsMissing", message: "No credentials were sent.", service: "rest" },
  403: { kind: "TokenNotFound", message: "Token not found", service: "auth" },
  404: { kind: "NotFound", message: "There is no such proxy binding.", service: "bindings" },
  409: { kind: "AddressTaken", message: "This proxy address is taken.", service: "bindings" },
  410: { kind: "Gone", message: "Events after this cursor are no longer kept: begin without one.", service: "mailbox" },
  413: { kind: "BodyTooLarge", message: "The request body is larger than 1 MiB.", service: "rest" },
  415: {
    kind: "UnsupportedMediaType",
    message: "The request body may be coded with gzip or deflate, or not at all.",
    service: "rest",
  },
  422: { kind: "ValidationFailed", message: 'data.type: expected "proxy_bindings".', service: "rest" },
  429: { kind: "RateLimited", message: "Too many attempts; please try again later.", service: "auth" },
  503: { kind: "Unavailable", message: "The service cannot do this right now.", service: "mailbox" },
};

const header = (description: string, type: "integer" | "string") => ({ description, schema: { type } });

const headers: Readonly<Record<number, Readonly<Record<string, ReturnType<typeof header>>>>> = {
  401: { "WWW-Authenticate": header("Bearer", "string") },
  415: { "Accept-Encoding": header("The content codings that are taken", "string") },
  429: { "Retry-After": header("In how many seconds to ask again", "integer") },
  503: { "Retry-After": header("In how many seconds to ask again", "integer") },
};

/** One of an endpoint's responses, as the OpenAPI document has it. */
export function responseOf(status: number, { responses, bodyLimitBytes = standardBodyLimitBytes }: Endpoint) {
  const document = responses[status];
  const description = status === 413 ? `The body is larger than ${formatBytes(bodyLimitBytes)}.` : describe(status);
  const shown = { description, ...(headers[status] ? { headers: headers[status] } : {}) };
  if (document === undefined) return shown;
  if (typeof document === "string") return { ...shown, content: { [document]: {} } };
  const example = document === ErrorDocument ? errorExample(status) : {};
  return { ...shown, content: { "application/json": { schema: document, ...example } } };
}

function describe(status: number): string {
  const kinds = Object.entries(errorStatuses).filter(([, ofKind]) => ofKind === status);
  if (kinds.length < 2) return meanings[status] ?? "";
  return `${meanings[status] ?? ""} \`exception\` is one of ${kinds.map(([kind]) => `\`${kind}\``).join(", ")}.`;
}

function errorExample(status: number): { example?: z.output<typeof ErrorDocument> } {
  const refusal = examples[status];
  if (!refusal) return {};
  const attributes = { message: refusal.message, exception: refusal.kind, file: refusal.service, line: 0 as const };
  return { example: { data: { id: "018d2475-1a70-7b4a-9d20-1f0d5c4a7e11", type: "errors", attributes } } };
}
