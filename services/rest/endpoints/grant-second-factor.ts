import { tokenDocument } from "../documents/token-document.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { SecondFactor, TokenDocument } from "../schemas/tokens.ts";

/** Interface decisions, "Proxy bindings": a token resource as in 4.1 with `2fa_granted` 1. */
export const grantSecondFactor = endpoint({
  name: "grantSecondFactor",
  tag: "Authentication",
  summary: "Exchange a bearer token and a code for a bearer token that has the second factor",
  description:
    "For an account with a second factor, a bearer token without it is good for this alone. The code is one of the authenticator or a recovery code; each is good once.",
  method: "POST",
  path: "/api/v1/2fa",
  credentials: "bearer",
  body: SecondFactor,
  answers: {
    200: TokenDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    409: ErrorDocument,
    413: ErrorDocument,
    422: ErrorDocument,
    429: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ peers, body, bearer, clientAddress, browser }) {
    const { code } = body.data.attributes;
    return answer(200, tokenDocument(await peers.auth.grantSecondFactor({ bearer, code, clientAddress, browser })));
  },
});
