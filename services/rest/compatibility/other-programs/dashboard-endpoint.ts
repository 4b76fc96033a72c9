import type { z } from "zod";
import type { Scope } from "../../../platform/security/scopes.ts";
import { type Call, type Endpoint, endpoint, respond } from "../../http/endpoint.ts";
import { ErrorDocument } from "../../http/schemas.ts";

interface Declaration<B extends z.ZodType | undefined>
  extends Pick<Endpoint, "name" | "summary" | "query" | "path" | "method" | "memberOf"> {
  scope: Scope;
  body?: B;
  shows: z.ZodType;
  refusals?: readonly (404 | 422)[];
  handle(call: Call<"token or bearer", B extends z.ZodType ? z.output<B> : undefined>): Promise<unknown>;
}

/** An endpoint of /gapi, the API of the dashboard: plain JSON both ways. */
export function dashboardEndpoint<B extends z.ZodType | undefined = undefined>({
  shows,
  refusals = [],
  handle,
  ...given
}: Declaration<B>): Endpoint {
  const statuses = [401, 403, 503, ...(given.body ? [400, 413, 415, 422] : []), ...refusals];
  return endpoint<"token or bearer", B>({
    ...given,
    tag: "Other programs",
    credentials: "token or bearer",
    members: "plain",
    responses: { 200: shows, ...Object.fromEntries(statuses.map((status) => [status, ErrorDocument])) },
    handle: async (call) => respond(200, await handle(call)),
  });
}
