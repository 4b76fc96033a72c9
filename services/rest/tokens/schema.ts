import { z } from "zod";
import { Id, requestOf, Timestamp, UserRelationship, wellFormedText } from "../http/schemas.ts";

export const SignIn = requestOf("auth-request", {
  username: wellFormedText("a string"),
  password: wellFormedText("a string"),
}).meta({
  id: "SignIn",
  example: { data: { type: "auth-request", attributes: { username: "jane@example.com", password: "a secret" } } },
});

export const SecondFactor = requestOf("second-factor", { code: wellFormedText("a string of digits") }).meta({
  id: "SecondFactor",
  example: { data: { type: "second-factor", attributes: { code: "123456" } } },
});

/** An authentication token. */
export const TokenDocument = z
  .object({
    data: z.object({
      type: z.literal("oauth-access-tokens"),
      id: Id,
      attributes: z.object({
        token: z.string(),
        expires_at: Timestamp,
        "2fa_granted": z.union([z.literal(0), z.literal(1)]).meta({ description: "1 once a second factor was given" }),
        isNewAcc: z.boolean().meta({ description: "The account's first sign-in" }),
      }),
      relationships: UserRelationship,
    }),
  })
  .meta({ id: "Token" });

export const ApiTokenDocument = z
  .object({ token: z.string().meta({ description: "For the Token header" }) })
  .meta({ id: "ApiToken" });
