import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { pageSize } from "../../platform/graph/paging.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { bindingsContract } from "../contract.ts";
import { noSuchBinding } from "../proxy-bindings/rows.ts";

type Procedures = Implementation<typeof bindingsContract>;

/** Whose contacts are changed, and what an API key holds the change to. */
type Asker = Pick<GraphRequest, "ownerId" | "caller">;

interface ContactPage {
  first?: number | null;
  after?: string | null;
  search?: string | null;
}

type Listing = Parameters<Procedures["contacts"]>[0];

/** Each page by its listing. */
export interface ContactLoaders {
  contactPages: Loader<Awaited<ReturnType<Procedures["contacts"]>>>;
}

/**
 * A page is read once for all that ask for it, and pages one after the other: many may lead to the same binding, and who asks for many pages has
 * not all connections.
 */
export function contactLoaders(procedures: Procedures): ContactLoaders {
  return {
    contactPages: loaderOf(
      async (listings) => {
        const pages = new Map<string, Awaited<ReturnType<Procedures["contacts"]>> | Error>();
        for (const listing of listings) pages.set(listing, await pageOf(procedures, JSON.parse(listing) as Listing));
        return pages;
      },
      () => noSuchBinding(),
    ),
  };
}

function pageOf(procedures: Procedures, listing: Listing) {
  return procedures.contacts(listing).catch((error: Error) => error);
}

/** The field ProxyBinding.contacts. */
export async function contactsOf(
  { id }: { id: string },
  { first, after, search }: ContactPage,
  { ownerId, loaders }: GraphRequest<ContactLoaders>,
) {
  const listing: Listing = {
    ownerId,
    bindingId: id,
    first: pageSize(first),
    after: after ?? undefined,
    search: search ?? undefined,
  };
  const page = await loaders.contactPages.load(JSON.stringify(listing));
  const pageInfo = { hasNextPage: page.nextCursor !== null, endCursor: page.nextCursor };
  return { nodes: page.contacts, totalCount: page.totalCount, pageInfo };
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
