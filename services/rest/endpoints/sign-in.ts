import { tokenDocument } from "../documents/token-document.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { SignIn, TokenDocument } from "../schemas/tokens.ts";

/** Interface specification 4.1. */
export const signIn = endpoint({
  name: "signIn",
  tag: "Authentication",
  summary: "Exchange credentials for a bearer token",
  description:
    "The bearer token lives for 30 days unless the installation says otherwise. Exchange it for an API token at GET /api/v1/api-token, or use it as it is.",
  method: "POST",
  path: "/api/v1/auth",
  credentials: "none",
  body: SignIn,
  answers: {
    200: TokenDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    413: ErrorDocument,
    422: ErrorDocument,
    429: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ peers, body, clientAddress, browser }) {
    const { username, password } = body.data.attributes;
    return answer(200, tokenDocument(await peers.auth.signIn({ username, password, clientAddress, browser })));
  },
});
