import type { ServiceError } from "../errors.ts";

/** The graph's usual codes, by the HTTP status that says the same. */
const codes: Readonly<Record<number, string>> = {
  400: "BAD_USER_INPUT",
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "BAD_USER_INPUT",
  409: "CONFLICT",
  410: "NOT_FOUND",
  413: "BAD_USER_INPUT",
  415: "BAD_USER_INPUT",
  417: "BAD_USER_INPUT",
  422: "BAD_USER_INPUT",
  429: "RATE_LIMITED",
  503: "UNAVAILABLE",
};

/** What the graph says of an error: the code that front ends switch on, REST's kind, and the id that the logs know. */
interface ErrorExtensions {
  code: string;
  kind: string;
  id: string;
  service: string;
  /** The argument or the field of an input that is wrong. */
  field?: string;
  retryAfterS?: number;
}

export function errorExtensions(error: ServiceError, service: string): ErrorExtensions {
  return {
    code: codes[error.status] ?? "INTERNAL_SERVER_ERROR",
    kind: error.kind,
    id: error.id,
    service: error.service ?? service,
    ...(error.fieldFault ? { field: error.fieldFault.field } : {}),
    ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
  };
}
