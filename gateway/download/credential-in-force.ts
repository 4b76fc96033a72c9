import type { authContract } from "../../services/auth/contract.ts";
import type { GraphCaller } from "../../services/platform/graph/caller-statement.ts";
import { type RequireInForce, sparingOutages } from "../../services/platform/http/while-in-force.ts";
import type { Client } from "../../services/platform/rpc/contract.ts";

/** Of the caller of a download. What merely expires while it is sent does not end it. */
export function requireInForce(
  auth: Pick<Client<typeof authContract>, "requireInForce">,
  { accountId, sessionId, tokenId, key }: GraphCaller,
  scope: string,
): RequireInForce {
  const credential = { accountId, sessionId, tokenId, keyId: key?.id, scope, mayHaveExpired: true };
  return sparingOutages(async () => void (await auth.requireInForce(credential)));
}
