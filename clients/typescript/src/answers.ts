import { type ApiError, apiError } from "./errors.ts";

/** An HTTP answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly retryAfterS: number | undefined;
  /** A list where it is lines of JSON; undefined for what is no JSON. */
  readonly body: unknown;
}

type Json = { readonly [member: string]: Json | undefined } | undefined;

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const header = Number(response.headers.get("retry-after") ?? Number.NaN);
  const isLines = response.headers.get("content-type")?.startsWith("application/x-ndjson");
  const body = isLines ? text.split("\n").filter(Boolean).map(parsed) : parsed(text);
  return { status: response.status, retryAfterS: Number.isFinite(header) ? header : undefined, body };
}

/** A proxy in front of the service may answer with a page of its own. */
function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error that an answer of REST stands for. */
export function restError({ status, retryAfterS, body }: Answer): ApiError {
  const error = (body as Json)?.["data"];
  const { message, exception } = error?.["attributes"] ?? {};
  return apiError({
    status,
    kind: textOr(exception, "Unknown"),
    message: textOr(message, `The service answered ${status}.`),
    id: typeof error?.["id"] === "string" ? error["id"] : undefined,
    retryAfterS,
  });
}

const statuses: Readonly<Record<string, number>> = {
  BAD_USER_INPUT: 422,
  BAD_REQUEST: 400,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
};

/** The error that an answer of the graph stands for; undefined for none. */
export function graphError({ status, retryAfterS, body }: Answer): ApiError | undefined {
  const [error] = ((body as { errors?: Json[] } | undefined)?.errors ?? []) as Json[];
  if (!error) return status === 200 && body !== undefined ? undefined : restError({ status, retryAfterS, body });
  const { code, kind, id, retryAfterS: inGraph } = error["extensions"] ?? {};
  return apiError({
    // What has no code of its own is a fault or an outage of the service.
    status: statuses[String(code)] ?? (status === 200 ? 503 : status),
    kind: textOr(kind, "Unknown"),
    message: textOr(error["message"], "The service gave no reason."),
    id: typeof id === "string" ? id : undefined,
    retryAfterS: typeof inGraph === "number" ? inGraph : retryAfterS,
  });
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
