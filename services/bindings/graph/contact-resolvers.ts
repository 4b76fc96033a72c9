import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import { pageSize } from "../../platform/graph/paging.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { bindingsContract } from "../contract.ts";

type Procedures = Implementation<typeof bindingsContract>;

interface Caller {
  readonly ownerId: string;
}

/** Whose contacts are changed, and what an API key holds the change to. */
type Asker = Pick<GraphRequest, "ownerId" | "caller">;

interface ContactPage {
  first?: number | null;
  after?: string | null;
  search?: string | null;
}

/** The field ProxyBinding.contacts. */
export function contactsOf(procedures: Procedures) {
  return async ({ id }: { id: string }, { first, after, search }: ContactPage, { ownerId }: Caller) => {
    const page = await procedures.contacts({
      ownerId,
      bindingId: id,
      first: pageSize(first),
      after: after ?? undefined,
      search: search ?? undefined,
    });
    const pageInfo = { hasNextPage: page.nextCursor !== null, endCursor: page.nextCursor };
    return { nodes: page.contacts, totalCount: page.totalCount, pageInfo };
  };
}

export function contactMutations(procedures: Procedures) {
  return {
    createContact: async (
      _source: unknown,
      { bindingId, address, name }: { bindingId: string; address: string; name?: string | null },
      { ownerId, caller }: Asker,
    ) => ({
      contact: await procedures.createContact({
        ownerId,
        bindingId,
        address,
        name: name ?? undefined,
        apiKey: caller.key,
      }),
    }),
    updateContact: async (
      _source: unknown,
      { id, name, isBlocked }: { id: string; name?: string | null; isBlocked?: boolean | null },
      { ownerId, caller }: Asker,
    ) => ({
      contact: await procedures.updateContact({
        ownerId,
        id,
        apiKey: caller.key,
        name: name ?? undefined,
        isBlocked: isBlocked ?? undefined,
      }),
    }),
    deleteContact: async (_source: unknown, { id }: { id: string }, { ownerId, caller }: Asker) => {
      await procedures.deleteContact({ ownerId, id, apiKey: caller.key });
      return { id };
    },
  };
}
