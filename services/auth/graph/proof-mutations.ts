import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import type { Resolvers } from "../../platform/graph/subgraph.ts";
import type { Requester } from "../accounts/account-lock.ts";
import type { AuthComponents } from "../components.ts";
import { neverByApiToken } from "../sessions/fresh-proof.ts";

/** The mutations by which who is signed in proves it again. */
export function proofMutations({ freshProof }: AuthComponents): Resolvers<unknown>[string] {
  return {
    proveByPassword: async (_source: unknown, { password }: { password: string }, request) => {
      await freshProof.byPassword(ownCaller(request), password, request.origin);
      return { isProven: true };
    },
    beginPasskeyProof: async (_source: unknown, _args: unknown, request) => ({
      optionsJson: await freshProof.beginByPasskey(ownCaller(request)),
    }),
    finishPasskeyProof: async (_source: unknown, { responseJson }: { responseJson: string }, request) => {
      await freshProof.byPasskey(ownCaller(request), responseJson);
      return { isProven: true };
    },
  };
}

/**
 * Who asks, by a session that has a fresh proof; a password that comes along is one.
 * @throws Refusal FreshProofRequired, WrongPassword, RateLimited, and as `ownerId`
 */
export async function provenOwner(
  { freshProof }: AuthComponents,
  request: GraphRequest,
  password?: string | null,
): Promise<Requester> {
  const caller = ownCaller(request);
  if (password == null) await freshProof.require(caller);
  else await freshProof.byPassword(caller, password, request.origin);
  return caller;
}

/**
 * The account that asks by one of its sessions, however old: ending sessions asks for no proof, so that a thief is put out at once.
 * @throws Refusal FreshProofRequired by an API token, and as `ownerId`
 */
export function sessionOwner({ ownerId, caller }: GraphRequest): string {
  if (caller.sessionId === undefined) throw neverByApiToken();
  return ownerId;
}

function ownCaller({ ownerId, caller }: GraphRequest): Requester {
  return { accountId: ownerId, sessionId: caller.sessionId };
}
