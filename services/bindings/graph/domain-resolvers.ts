import type { Implementation } from "../../platform/rpc/contract.ts";
import type { bindingsContract } from "../contract.ts";

type Procedures = Implementation<typeof bindingsContract>;

interface Caller {
  readonly ownerId: string;
}

interface Reference {
  readonly id: string;
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
    removeDomain: async (_source: unknown, { id }: Reference, { ownerId }: Caller) => {
      await procedures.removeDomain({ ownerId, id });
      return { id };
    },
  };
}
