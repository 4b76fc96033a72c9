import type { z } from "zod";
import { Refusal } from "../platform/errors.ts";
import { isKeyLike } from "../platform/security/scopes.ts";
import type { ApiKeys } from "./api-keys/api-keys.ts";
import type { Caller, Credential } from "./contract.ts";
import { bearerInvalid, type Sessions } from "./sessions/sessions.ts";
import type { ApiTokens } from "./tokens/api-tokens.ts";

interface Dependencies {
  apiKeys: ApiKeys;
  apiTokens: ApiTokens;
  sessions: Sessions;
}

/**
 * Who a credential stands for. A key is told by its prefix, and works wherever the API token or a bearer token does. For a caller that
 * does not set `acceptsApiKeys`, since it does not hold keys to their restrictions, there is no such credential.
 * @throws Refusal TokenNotFound, BearerTokenInvalid
 */
export async function authenticate(
  { apiKeys, apiTokens, sessions }: Dependencies,
  { scheme, value, acceptsApiKeys }: z.output<typeof Credential>,
): Promise<z.output<typeof Caller>> {
  if (!acceptsApiKeys || !isKeyLike(value))
    return scheme === "token" ? apiTokens.caller(value) : sessions.caller(value);
  try {
    return await apiKeys.caller(value);
  } catch (error) {
    // What is sent as a bearer token is refused as one.
    if (scheme === "bearer" && error instanceof Refusal && error.kind === "TokenNotFound") throw bearerInvalid();
    throw error;
  }
}
