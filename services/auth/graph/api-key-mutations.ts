import type { Resolvers } from "../../platform/graph/subgraph.ts";
import type { ApiKeyInput } from "../api-keys/key-input.ts";
import type { AuthComponents } from "../components.ts";
import { provenOwner } from "./proof-mutations.ts";

/** The mutations of API keys. */
export function apiKeyMutations(components: AuthComponents): Resolvers<unknown>[string] {
  const { apiKeys } = components;
  return {
    createApiKey: async (_source: unknown, { input }: { input: ApiKeyInput }, request) =>
      apiKeys.create(await provenOwner(components, request), input),
    revokeApiKey: async (_source: unknown, { id }: { id: string }, request) => {
      await apiKeys.revoke(await provenOwner(components, request), id);
      return { id };
    },
  };
}
