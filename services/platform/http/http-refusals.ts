import type { Response } from "express";
import { asServiceError, messageOf, Refusal, ServiceError } from "../errors.ts";

/** What express itself refuses (a path that is no valid encoding) is the client's fault, not ours. */
export function asHttpError(error: unknown): ServiceError {
  const status = (error as { status?: unknown }).status;
  const isExpressOwn = !(error instanceof ServiceError) && typeof status === "number" && status >= 400 && status < 500;
  return isExpressOwn
    ? new Refusal("MalformedRequest", { public: "The request is malformed.", operator: messageOf(error) })
    : asServiceError(error);
}

/** 405, with the methods that the path takes in `Allow` (RFC 9110 section 15.5.6). */
export function methodNotAllowed(methods: readonly string[], response: Response): Refusal {
  response.setHeader("allow", [...new Set(methods)].join(", "));
  return new Refusal("MethodNotAllowed", { public: "This address does not take this method." });
}
