import { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument, Id } from "../http/schemas.ts";

const UserDocument = z
  .object({
    data: z.object({
      type: z.literal("users"),
      id: Id,
      attributes: z.object({
        username: z.string(),
        webhook_secret: z.string().meta({ description: "Signs callbacks as Standard Webhooks" }),
      }),
    }),
  })
  .meta({ id: "User" });

/** Interface decisions, "Proxy bindings". */
const showUser = endpoint({
  name: "showUser",
  tag: "Authentication",
  summary: "Who the credentials stand for, and the secret that signs callbacks",
  method: "GET",
  path: "/api/v1/users/me",
  credentials: "token or bearer",
  answers: { 200: UserDocument, 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument },
  async handle({ services, caller }) {
    const [identity] = await services.auth.webhookIdentities({ accountIds: [caller.accountId] });
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

export const userEndpoints = [showUser] as const;
