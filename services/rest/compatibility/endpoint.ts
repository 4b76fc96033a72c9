import { z } from "zod";
import type { Scope } from "../../platform/security/scopes.ts";
import {
  type Call,
  type Compatibility,
  type Endpoint,
  type EndpointResponse,
  endpoint,
  refusalResponses,
} from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";

/** The contract's error document, with the members that programs of other services read. */
const CompatibilityError = ErrorDocument.extend({
  error: z.string().meta({ description: "The same as `data.attributes.message`" }),
  message: z.string().meta({ description: "The same" }),
}).meta({ id: "CompatibilityError" });

interface Declaration<B extends z.ZodType | undefined>
  extends Pick<Endpoint, "name" | "summary" | "description" | "query" | "path" | "memberOf"> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  scope: Scope;
  body?: B;
  responses: Readonly<Record<number, z.ZodType>>;
  /** Statuses of refusals beside 401, 403, 503, and those of a body: 400, 413, 415, 422. */
  refusals?: readonly (400 | 404 | 409 | 422 | 429)[];
  handle(call: Call<"token or bearer", B extends z.ZodType ? z.output<B> : undefined>): Promise<EndpointResponse>;
}

/** An endpoint of another service's API; an empty body stands for an empty object. */
function compatibilityEndpoint(compatibility: Compatibility) {
  return <B extends z.ZodType | undefined = undefined>({
    responses,
    refusals = [],
    ...declaration
  }: Declaration<B>): Endpoint =>
    endpoint<"token or bearer", B>({
      ...declaration,
      tag: "Password managers",
      credentials: "token or bearer",
      compatibility,
      members: "plain",
      isBodyOptional: true,
      responses: { ...responses, ...refusalResponses(declaration, refusals, CompatibilityError) },
    });
}

export const simpleLogin = compatibilityEndpoint({ quotaStatus: 400 });
export const addy = compatibilityEndpoint({ quotaStatus: 403 });
