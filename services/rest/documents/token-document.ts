import type { z } from "zod";
import type { BearerToken } from "../../auth/contract.ts";
import type { TokenDocument } from "../schemas/tokens.ts";
import { timestamp } from "./timestamp.ts";

export function tokenDocument(token: z.output<typeof BearerToken>): z.output<typeof TokenDocument> {
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
