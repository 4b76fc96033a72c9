import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Credential } from "../../auth/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { bearerToken } from "../../platform/http/bearer-token.ts";
import type { Services } from "../services.ts";
import type { Caller, RequiredCredentials } from "./endpoint.ts";

interface Identified {
  caller: Caller | undefined;
  bearer: string | undefined;
}

/**
 * Who is calling, by the credentials that the endpoint takes (interface decisions, "Requests" and "Errors").
 * @throws Refusal CredentialsMissing, BearerTokenInvalid, TokenNotFound, SecondFactorRequired; Outage when auth is out of reach.
 */
export async function identify(
  headers: IncomingHttpHeaders,
  taken: RequiredCredentials,
  auth: Services["auth"],
): Promise<Identified> {
  if (taken === "none") return { caller: undefined, bearer: undefined };
  if (taken === "bearer") {
    const bearer = bearerToken(headers.authorization);
    if (bearer === undefined) throw missing("Send the bearer token in the Authorization header.");
    return { caller: undefined, bearer };
  }
  const { accountId, username, isFullyAuthenticated } = await auth.authenticate(credentialOf(headers));
  if (!isFullyAuthenticated)
    throw new Refusal("SecondFactorRequired", {
      public: "This account has a second factor: exchange the bearer token and a code at POST /api/v1/2fa first.",
    });
  return { caller: { accountId, username }, bearer: undefined };
}

/** Uses the Token header if there is one: Authorization may then be meant for a proxy in front of the service. */
function credentialOf(headers: IncomingHttpHeaders): z.output<typeof Credential> {
  const token = headerOf(headers["token"]);
  if (token !== undefined) return { scheme: "token", value: token };
  const bearer = bearerToken(headers.authorization);
  if (bearer === undefined) throw missing("Send the API token in the Token header.");
  return { scheme: "bearer", value: bearer };
}

function missing(sentence: string): Refusal {
  return new Refusal("CredentialsMissing", { public: `No credentials were sent. ${sentence}` });
}

function headerOf(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  return value === "" ? undefined : value;
}
