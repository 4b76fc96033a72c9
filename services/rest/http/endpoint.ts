import type { Request, Response } from "express";
import type { z } from "zod";
import type { RequireInForce } from "../../platform/http/while-in-force.ts";
import type { KeyRights, NeededScope } from "../../platform/security/scopes.ts";
import type { Services } from "../services.ts";
import type { JsonPieces } from "./send.ts";

export const standardBodyLimitBytes = 1024 * 1024;

/** Which credentials an endpoint takes: the `Token` header or a bearer token, the latter alone, or none. */
type RequiredCredentials = "token or bearer" | "bearer" | "none";

export interface Caller {
  accountId: string;
  username: string;
  /** The sign-in session behind a bearer token. */
  sessionId?: string | undefined;
  /** What tells one API token of the account from its next. */
  tokenId?: string | undefined;
  /** Where the credential is an API key: what it is held to. */
  key?: KeyRights | undefined;
}

/** What a handler is given. */
export interface Call<C extends RequiredCredentials, Body> {
  request: Request;
  response: Response;
  services: Services;
  /** Parts of the path, by name. */
  path: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: Body;
  /** The client's address, as the gateway saw it. */
  clientAddress: string;
  /** A plain name of the program that asks, where it says one. */
  browser: string | undefined;
  /** Where credentials are asked for. */
  caller: C extends "token or bearer" ? Caller : undefined;
  /** The bearer token itself, where it alone is taken. */
  bearer: C extends "bearer" ? string : undefined;
  /** For a handler that writes a long response itself; JSON in pieces is looked after. */
  requireInForce: RequireInForce;
}

/** What an endpoint responds: a status and a document, or undefined where the handler has written the response itself. */
export interface EndpointResponse {
  status: number;
  document?: unknown;
  /** The document as JSON already, whole or in pieces: it goes out as it stands. */
  json?: string | JsonPieces;
}

export function respond(status: number, document?: unknown): EndpointResponse {
  return { status, document };
}

/**
 * How another service's API treats credentials and errors differently. A wrong credential is 401 however it was sent, and the key may
 * stand in the header `Authentication` too.
 */
export interface Compatibility {
  /** The status of a refusal for a quota that is used up. */
  readonly quotaStatus: 400 | 403;
}

interface QueryParameter {
  schema: z.ZodType;
  description: string;
  /** The field of the service's input that it is handed on as, where that has another name. */
  field?: string;
}

interface EndpointDeclaration<C extends RequiredCredentials, B extends z.ZodType | undefined> {
  /** The operation's name in the OpenAPI document. */
  name: string;
  /** The group that it is shown in. */
  tag:
    | "Authentication"
    | "Proxy bindings"
    | "Received emails"
    | "Webhook recorder"
    | "Postern"
    | "Password managers"
    | "Other programs";
  summary: string;
  /** What an API user has to know besides. */
  description?: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";
  /** With its variable parts as {name}. */
  path: string;
  credentials: C;
  /** What an API key needs to call it: "session" for what none may do, "none" where no credentials are taken. */
  scope: NeededScope;
  /** How the members of its body are named in errors: as `data.attributes.snake_case`, or as they are in the service's input. */
  members?: "attributes" | "plain";
  /** What its body calls a field of the service's input, where that is neither. */
  memberOf?: Readonly<Record<string, string>>;
  /** Where it is an endpoint of another service's API. */
  compatibility?: Compatibility;
  /** No body at all stands for an empty object. */
  isBodyOptional?: boolean;
  /** Absent: a body is neither needed nor looked at. */
  body?: B;
  /** How large a body may be, inflated: 1 MiB unless it says otherwise. */
  bodyLimitBytes?: number;
  query?: Readonly<Record<string, QueryParameter>>;
  /** Every status that it can give: the schema of its document, or a media type that is not JSON, or nothing. */
  responses: Readonly<Record<number, z.ZodType | string | undefined>>;
  handle(call: Call<C, B extends z.ZodType ? z.output<B> : undefined>): Promise<EndpointResponse | undefined>;
}

/** An endpoint of any credentials and input: one declaration is its routing, its validation and its part of the OpenAPI document. */
export interface Endpoint extends Omit<EndpointDeclaration<RequiredCredentials, z.ZodType | undefined>, "handle"> {
  handle(call: Call<RequiredCredentials, unknown>): Promise<EndpointResponse | undefined>;
}

/** The responses of refusals: those that credentials, a body and a query imply, and further ones, each with this document. */
export function refusalResponses(
  { body, query }: Pick<Endpoint, "body" | "query">,
  further: readonly number[],
  document: z.ZodType,
): Record<number, z.ZodType> {
  const implied = [401, 403, 503, ...(body ? [400, 413, 415, 422] : []), ...(query ? [422] : [])];
  return Object.fromEntries([...implied, ...further].map((status) => [status, document]));
}

export function endpoint<C extends RequiredCredentials, B extends z.ZodType | undefined = undefined>(
  declaration: EndpointDeclaration<C, B>,
): Endpoint {
  return declaration as unknown as Endpoint;
}
