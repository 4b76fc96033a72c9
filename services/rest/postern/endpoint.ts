import { z } from "zod";
import type { NeededScope } from "../../platform/security/scopes.ts";
import { type Call, type Endpoint, type EndpointResponse, endpoint, refusalResponses } from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";
import type { JsonPieces } from "../http/send.ts";

/** What an endpoint of /api/postern/v1 responds: `data`, and `next` where a list has more. */
interface PosternResponse {
  status: number;
  /** Absent: there is no document (204). */
  data?: unknown;
  /** The whole document as JSON in pieces, in place of `data`. */
  json?: JsonPieces;
  /** The cursor of the next page: what `after` takes. */
  next?: string | null | undefined;
}

interface PosternDeclaration<B extends z.ZodType | undefined>
  extends Pick<Endpoint, "name" | "summary" | "description" | "query" | "bodyLimitBytes"> {
  method: Exclude<Endpoint["method"], "ANY">;
  /** Under /api/postern/v1, with its variable parts as {name}. */
  path: `/${string}`;
  /** What an API key needs to call it. */
  scope: NeededScope;
  /** The body as it stands: no envelope. */
  body?: B;
  /** Statuses of success: `dataOf` or `listOf` the schema of what is answered, a media type that is not JSON, or undefined for nothing. */
  responses: Readonly<Record<number, z.ZodType | string | undefined>>;
  /** Statuses of refusals beside those that the declaration implies: 401, 403, 503; 400, 413, 415, 422 with a body; 422 with a query. */
  refusals?: readonly (404 | 409 | 410 | 422 | 429)[];
  handle(
    call: Call<"token or bearer", B extends z.ZodType ? z.output<B> : undefined>,
  ): Promise<PosternResponse | undefined>;
}

/** `{"data": …}` */
export const dataOf = <S extends z.ZodType>(schema: S) => z.object({ data: schema });

/** `{"data": […], "next": …}`; there is no `next` on the last page. */
export const listOf = <S extends z.ZodType>(schema: S) =>
  z.object({
    data: z.array(schema),
    next: z
      .string()
      .optional()
      .meta({ description: "The cursor of the next page, for `after`; absent on the last one" }),
  });

/** An endpoint of /api/postern/v1: plain JSON in both directions, the credentials and errors of the rest of REST. */
export function posternEndpoint<B extends z.ZodType | undefined = undefined>({
  path,
  responses,
  refusals = [],
  handle,
  ...declaration
}: PosternDeclaration<B>): Endpoint {
  return endpoint<"token or bearer", B>({
    ...declaration,
    tag: "Postern",
    path: `/api/postern/v1${path}`,
    credentials: "token or bearer",
    members: "plain",
    responses: { ...responses, ...refusalResponses(declaration, refusals, ErrorDocument) },
    handle: async (call) => documentOf(await handle(call)),
  });
}

function documentOf(response: PosternResponse | undefined): EndpointResponse | undefined {
  if (!response) return undefined;
  const { status, data, next, json } = response;
  if (json) return { status, json };
  if (data === undefined) return { status };
  return { status, document: { data, ...(next == null ? {} : { next }) } };
}
