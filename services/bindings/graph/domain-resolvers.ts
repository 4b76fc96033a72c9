import type { z } from "zod";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { bindingsContract } from "../contract.ts";

type Procedures = Implementation<typeof bindingsContract>;

type Patterns = z.output<typeof bindingsContract.procedures.setDomainPatterns.input>["patterns"];

interface Caller {
  readonly ownerId: string;
}

interface Reference {
  readonly id: string;
}

/** The fields of Domain that are asked for by themselves. */
export function domainFields(procedures: Procedures) {
  return {
    patterns: ({ id }: Reference, _args: unknown, { ownerId }: Caller) => procedures.domainPatterns({ ownerId, id }),
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
    addDomain: async (_source: unknown, { name }: { name: string }, { ownerId }: Caller) =>
      (await procedures.addDomain({ ownerId, name })).domain,
    checkDomain: (_source: unknown, { id }: Reference, { ownerId }: Caller) => procedures.checkDomain({ ownerId, id }),
    setPatterns: async (
      _source: unknown,
      { domainId: id, patterns }: { domainId: string; patterns: Patterns },
      { ownerId }: Caller,
    ) => {
      await procedures.setDomainPatterns({ ownerId, id, patterns });
      return procedures.domain({ ownerId, id });
    },
    removeDomain: async (_source: unknown, { id }: Reference, { ownerId }: Caller) => {
      await procedures.removeDomain({ ownerId, id });
      return { id };
    },
  };
}
