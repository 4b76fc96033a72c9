import type { z } from "zod";
import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import { requireOperator } from "../../platform/graph/operator.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { bindingsContract } from "../contract.ts";

const maxOperatedDomains = 100;

type Procedures = Implementation<typeof bindingsContract>;

type Patterns = z.output<typeof bindingsContract.procedures.setDomainPatterns.input>["patterns"];

interface Caller {
  readonly ownerId: string;
}

/** Whose domains are changed, and what an API key holds the change to. */
type Asker = Pick<GraphRequest, "ownerId" | "caller">;

interface Reference {
  readonly id: string;
}

/** The fields of Domain that are asked for by themselves. */
export function domainFields(procedures: Procedures) {
  return {
    patterns: ({ id }: Reference, _args: unknown, { ownerId }: Caller) => procedures.domainPatterns({ ownerId, id }),
  };
}

/** What operators see of all domains. */
export function operatorFields(procedures: Procedures) {
  return {
    domains: (_source: unknown, { name }: { name?: string | null }, request: GraphRequest) => {
      requireOperator(request);
      return procedures.allDomains({ name: name?.trim().toLowerCase() || null, limit: maxOperatedDomains });
    },
  };
}

export function domainQueries(procedures: Procedures) {
  return {
    domains: (_source: unknown, _args: unknown, { ownerId }: Caller) => procedures.domains({ ownerId }),
    domain: (_source: unknown, { id }: Reference, { ownerId }: Caller) => procedures.domain({ ownerId, id }),
  };
}

export function domainMutations(procedures: Procedures) {
  return {
    addDomain: async (_source: unknown, { name }: { name: string }, { ownerId, caller }: Asker) =>
      (await procedures.addDomain({ ownerId, name, apiKey: caller.key })).domain,
    checkDomain: (_source: unknown, { id }: Reference, { ownerId }: Caller) => procedures.checkDomain({ ownerId, id }),
    rotateDomainKeys: (_source: unknown, { id }: Reference, { ownerId, caller }: Asker) =>
      procedures.rotateDomainKeys({ ownerId, id, apiKey: caller.key }),
    setPatterns: async (
      _source: unknown,
      { domainId: id, patterns }: { domainId: string; patterns: Patterns },
      { ownerId, caller }: Asker,
    ) => {
      await procedures.setDomainPatterns({ ownerId, id, patterns, apiKey: caller.key });
      return procedures.domain({ ownerId, id });
    },
    removeDomain: async (_source: unknown, { id }: Reference, { ownerId, caller }: Asker) => {
      await procedures.removeDomain({ ownerId, id, apiKey: caller.key });
      return { id };
    },
  };
}
