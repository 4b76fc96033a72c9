import type { z } from "zod";
import type { BearerToken } from "../../auth/contract.ts";
import { endpoint, respond } from "../http/endpoint.ts";
import { ErrorDocument, timestamp } from "../http/schemas.ts";
import { ApiTokenDocument, SecondFactor, SignIn, TokenDocument } from "./schema.ts";

function tokenDocument(token: z.output<typeof BearerToken>): z.output<typeof TokenDocument> {
  const attributes = {
    token: token.token,
    expires_at: timestamp(token.expiresAt),
    "2fa_granted": token.isSecondFactorGranted ? (1 as const) : (0 as const),
    isNewAcc: token.isNewAccount,
  };
  return {
    data: {
      type: "oauth-access-tokens",
      id: token.id,
      attributes,
      relationships: { user: { data: { type: "users", id: token.accountId } } },
    },
  };
}

const signIn = endpoint({
  name: "signIn",
  tag: "Authentication",
  summary: "Exchange credentials for a bearer token",
  description:
    "The bearer token lives for 30 days unless the installation says otherwise. Exchange it for an API token at GET /api/v1/api-token, or use it as it is.",
  method: "POST",
  path: "/api/v1/auth",
  credentials: "none",
  scope: "none",
  body: SignIn,
  responses: {
    200: TokenDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    413: ErrorDocument,
    415: ErrorDocument,
    422: ErrorDocument,
    429: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, body, clientAddress, browser }) {
    const { username, password } = body.data.attributes;
    return respond(200, tokenDocument(await services.auth.signIn({ username, password, clientAddress, browser })));
  },
});

/** The same token again until it is revoked. */
const showApiToken = endpoint({
  name: "showApiToken",
  tag: "Authentication",
  summary: "Exchange a bearer token for the API token",
  description: "The same token every time, until it is replaced. Send it in the Token header of all later requests.",
  method: "GET",
  path: "/api/v1/api-token",
  credentials: "bearer",
  scope: "session",
  responses: { 200: ApiTokenDocument, 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument },
  async handle({ services, bearer }) {
    return respond(200, await services.auth.apiToken({ bearer }));
  },
});

/** A token resource as POST /api/v1/auth gives it, with `2fa_granted` 1. */
const grantSecondFactor = endpoint({
  name: "grantSecondFactor",
  tag: "Authentication",
  summary: "Exchange a bearer token and a code for a bearer token that has the second factor",
  description:
    "For an account with a second factor, a bearer token without it is good for this alone. The code is one of the authenticator or a recovery code; each is good once.",
  method: "POST",
  path: "/api/v1/2fa",
  credentials: "bearer",
  scope: "session",
  body: SecondFactor,
  responses: {
    200: TokenDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    409: ErrorDocument,
    413: ErrorDocument,
    415: ErrorDocument,
    422: ErrorDocument,
    429: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, body, bearer, clientAddress, browser }) {
    const { code } = body.data.attributes;
    return respond(200, tokenDocument(await services.auth.grantSecondFactor({ bearer, code, clientAddress, browser })));
  },
});

export const tokenEndpoints = [signIn, showApiToken, grantSecondFactor] as const;
