import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Credential } from "../../auth/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { bearerToken } from "../../platform/http/bearer-token.ts";
import { isKeyLike, neverByKey, requireScope } from "../../platform/security/scopes.ts";
import { asWrongKey, keyInAnyHeader } from "../compatibility/error-wording.ts";
import type { Services } from "../services.ts";
import type { Caller, Endpoint } from "./endpoint.ts";

interface Identified {
  caller: Caller | undefined;
  bearer: string | undefined;
}

/**
 * Who is calling, by the credentials that the endpoint takes.
 * @throws Refusal CredentialsMissing, BearerTokenInvalid, TokenNotFound, SecondFactorRequired, ScopeMissing; Outage when auth is out of reach.
 */
export async function identify(
  headers: IncomingHttpHeaders,
  { credentials: taken, scope, compatibility }: Pick<Endpoint, "credentials" | "scope" | "compatibility">,
  auth: Services["auth"],
): Promise<Identified> {
  if (taken === "none") return { caller: undefined, bearer: undefined };
  if (taken === "bearer") {
    const bearer = bearerToken(headers.authorization);
    await refuseKey(headers, bearer, auth);
    if (bearer === undefined) throw missing("Send the bearer token in the Authorization header.");
    return { caller: undefined, bearer };
  }
  const { accountId, username, isFullyAuthenticated, sessionId, tokenId, key } = await (compatibility
    ? authenticateCompatibly(headers, auth)
    : auth.authenticate(credentialOf(headers)));
  if (!isFullyAuthenticated)
    throw new Refusal("SecondFactorRequired", {
      public: "This account has a second factor: exchange the bearer token and a code at POST /api/v1/2fa first.",
    });
  requireScope({ key }, scope);
  return { caller: { accountId, username, sessionId, tokenId, key }, bearer: undefined };
}

/** @throws Refusal CredentialsMissing, BearerTokenInvalid */
async function authenticateCompatibly(headers: IncomingHttpHeaders, auth: Services["auth"]) {
  const value = keyInAnyHeader(headers);
  if (value === undefined) throw missing("Send the API key in the Authentication or Authorization header.");
  const scheme = /^ps[tk]_/.test(value) ? "token" : "bearer";
  return auth.authenticate({ scheme, value, acceptsApiKeys: true }).catch((error: unknown) => {
    throw asWrongKey(error);
  });
}

/** What takes a bearer token alone hands credentials out, or completes a sign-in: no key may do that. @throws Refusal */
async function refuseKey(
  headers: IncomingHttpHeaders,
  bearer: string | undefined,
  auth: Services["auth"],
): Promise<void> {
  const [scheme, value] =
    bearer === undefined ? (["token", headerOf(headers["token"])] as const) : (["bearer", bearer] as const);
  if (value === undefined || !isKeyLike(value)) return;
  await auth.authenticate({ scheme, value, acceptsApiKeys: true });
  throw neverByKey();
}

/** Uses the Token header if there is one: Authorization may then be meant for a proxy in front of the service. */
function credentialOf(headers: IncomingHttpHeaders): z.output<typeof Credential> {
  const token = headerOf(headers["token"]);
  if (token !== undefined) return { scheme: "token", value: token, acceptsApiKeys: true };
  const bearer = bearerToken(headers.authorization);
  if (bearer === undefined) throw missing("Send the API token in the Token header.");
  return { scheme: "bearer", value: bearer, acceptsApiKeys: true };
}

function missing(sentence: string): Refusal {
  return new Refusal("CredentialsMissing", { public: `No credentials were sent. ${sentence}` });
}

function headerOf(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  return value === "" ? undefined : value;
}
