import { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import { endpoint, respond } from "../http/endpoint.ts";
import { ErrorDocument, Id } from "../http/schemas.ts";

const UserDocument = z
  .object({
    meta: z.object({
      plan: z.object({
        isPaid: z.boolean().meta({ description: "Always true: there is one plan, and it has everything" }),
      }),
    }),
    data: z.object({
      type: z.literal("users"),
      id: Id,
      attributes: z.object({
        username: z.string(),
        email: z
          .string()
          .nullable()
          .meta({ description: "The username, where that is an email address; otherwise null" }),
        "2fa_enabled": z.boolean(),
        webhook_secret: z
          .string()
          .optional()
          .meta({ description: "Signs callbacks as Standard Webhooks; not shown to an API key" }),
      }),
    }),
  })
  .meta({ id: "User" });

const showUser = endpoint({
  name: "showUser",
  tag: "Authentication",
  summary: "Show the account of the credentials, and the secret that signs callbacks",
  method: "GET",
  path: "/api/v1/users/me",
  credentials: "token or bearer",
  scope: "alias:read",
  responses: { 200: UserDocument, 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument },
  async handle({ services, caller }) {
    const [[identity], [account]] = await Promise.all([
      services.auth.webhookIdentities({ accountIds: [caller.accountId] }),
      services.auth.accounts({ ids: [caller.accountId] }),
    ]);
    const [secret] = identity?.secrets ?? [];
    if (!account || secret === undefined)
      throw new Refusal("TokenNotFound", {
        public: "Token not found",
        operator: "its account was closed a moment ago",
      });
    const { username, hasSecondFactor } = account;
    return respond(200, {
      meta: { plan: { isPaid: true } },
      data: {
        type: "users",
        id: caller.accountId,
        attributes: {
          username,
          // An operator may have named an account otherwise.
          email: username.includes("@") ? username : null,
          "2fa_enabled": hasSecondFactor,
          ...(caller.key ? {} : { webhook_secret: secret }),
        },
      },
    });
  },
});

export const userEndpoints = [showUser] as const;
