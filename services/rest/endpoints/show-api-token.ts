import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { ApiTokenDocument } from "../schemas/tokens.ts";

/** Interface specification 4.2. The same token again until it is revoked. */
export const showApiToken = endpoint({
  name: "showApiToken",
  tag: "Authentication",
  summary: "Exchange a bearer token for the API token",
  description: "The same token every time, until it is replaced. Send it in the Token header of all later requests.",
  method: "GET",
  path: "/api/v1/api-token",
  credentials: "bearer",
  answers: { 200: ApiTokenDocument, 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument },
  async handle({ peers, bearer }) {
    return answer(200, await peers.auth.apiToken({ bearer }));
  },
});
