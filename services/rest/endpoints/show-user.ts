import { Refusal } from "../../platform/errors.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { UserDocument } from "../schemas/tokens.ts";

/** Interface decisions, "Proxy bindings". */
export const showUser = endpoint({
  name: "showUser",
  tag: "Authentication",
  summary: "Who the credentials stand for, and the secret that signs callbacks",
  method: "GET",
  path: "/api/v1/users/me",
  credentials: "token or bearer",
  answers: { 200: UserDocument, 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument },
  async handle({ peers, caller }) {
    const [identity] = await peers.auth.webhookIdentities({ accountIds: [caller.accountId] });
    const [secret] = identity?.secrets ?? [];
    if (!identity || secret === undefined)
      throw new Refusal("TokenNotFound", { public: "Token not found", operator: "its account went a moment ago" });
    return answer(200, {
      data: {
        type: "users",
        id: caller.accountId,
        attributes: { username: identity.username, webhook_secret: secret },
      },
    });
  },
});
