import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../../platform/errors.ts";
import { parseBearer } from "../../platform/http/bearer-token.ts";
import type { RefusalContext } from "../../platform/http/refuse.ts";
import type { Endpoint } from "../http/endpoint.ts";

/** The errors of an endpoint of another service's API: the contract's document, and the members that programs of that service read. */
export function wordingOf(endpoint: Endpoint | undefined): Pick<RefusalContext, "worded"> {
  const { compatibility } = endpoint ?? {};
  if (!compatibility) return {};
  return {
    worded: (document, { kind, status, publicMessage }) => ({
      status: kind === "QuotaExceeded" ? compatibility.quotaStatus : status,
      document: { ...document, error: publicMessage, message: publicMessage },
    }),
  };
}

/** The key that a program of another service sends: in `Authentication`, or in either header that the contract knows. */
export function keyInAnyHeader(headers: IncomingHttpHeaders): string | undefined {
  const { authentication, token, authorization = "" } = headers;
  const given = [authentication, token].flat().find((value) => value !== undefined && value.trim() !== "");
  return given?.trim() ?? parseBearer(authorization) ?? (authorization.trim() || undefined);
}

/** These programs take 401 for a bad key, and 403 for one that may not. */
export function asWrongKey(error: unknown): unknown {
  if (!(error instanceof Refusal) || (error.kind !== "TokenNotFound" && error.kind !== "BearerTokenInvalid"))
    return error;
  return new Refusal("BearerTokenInvalid", { public: "Wrong API key.", cause: error });
}
