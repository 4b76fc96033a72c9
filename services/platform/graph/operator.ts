import { Refusal } from "../errors.ts";
import type { GraphCaller } from "./caller-statement.ts";
import type { GraphRequest } from "./graph-request.ts";

/**
 * The operator who asks: an account with that right, signed in by a session; the gateway asks auth for it at each request.
 * @throws Refusal CredentialsMissing, SecondFactorRequired, Forbidden
 */
export function requireOperator(request: GraphRequest): GraphCaller {
  const { ownerId, caller } = request;
  if (caller.isOperator !== true || caller.sessionId === undefined || caller.accountId !== ownerId)
    throw new Refusal("Forbidden", { public: "This is for operators of the service." });
  return caller;
}
