import DataLoader from "dataloader";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { browsableAmong } from "./contents.ts";
import { type EmailPage, emailCounts, emailPages } from "./email-pages.ts";
import { notBrowsable } from "./email-rows.ts";

/** One binding's emails as they are asked for. */
export interface Listing {
  bindingId: string;
  first: number;
  after?: string | undefined;
  search?: string | undefined;
}

/** Pages and counts of many bindings' emails: asked for one by one, read together where they are asked for alike. */
export function listingLoader(db: Database, bindings: Client<typeof bindingsContract>, owner: () => string) {
  const sameSearch = ({ first, after, search }: Listing) => JSON.stringify([first, after, search]);
  const cacheKeyFn = (listing: Listing) => `${listing.bindingId} ${sameSearch(listing)}`;

  const pages = new DataLoader<Listing, EmailPage, string>(
    async (listings) => {
      const ownerId = owner();
      const browsable = await browsableAmong(bindings, ownerId, idsOf(listings));
      return alike(listings, sameSearch, async (group, options) => {
        const open = idsOf(group).filter((id) => browsable.get(id));
        const found = await emailPages(db, open, { ...options, ownerId });
        return (id) => found.get(id) ?? refusalFor(browsable.get(id));
      });
    },
    { cacheKeyFn },
  );
  // Asked for beneath a page, which was refused unless it may be browsed.
  const counts = new DataLoader<Listing, number, string>(
    (listings) =>
      alike(listings, sameSearch, async (group, { search }) => {
        const found = await emailCounts(db, idsOf(group), owner(), search);
        return (id) => found.get(id) ?? 0;
      }),
    { cacheKeyFn },
  );
  return { page: (listing: Listing) => pages.load(listing), count: (listing: Listing) => counts.load(listing) };
}

/** Reads each group of listings that differ by their binding alone together, and gives the results in their order. */
async function alike<Result>(
  listings: readonly Listing[],
  groupKey: (listing: Listing) => string,
  read: (group: readonly Listing[], options: Listing) => Promise<(bindingId: string) => Result>,
): Promise<Result[]> {
  const groups = [...Map.groupBy(listings, groupKey)];
  const answers = new Map(
    await Promise.all(groups.map(async ([key, group]) => [key, await read(group, group[0] as Listing)] as const)),
  );
  return listings.map((listing) => (answers.get(groupKey(listing)) as (id: string) => Result)(listing.bindingId));
}

function idsOf(listings: readonly Listing[]): string[] {
  return [...new Set(listings.map(({ bindingId }) => bindingId))];
}

function refusalFor(isBrowsable: boolean | undefined): Refusal {
  return isBrowsable === false
    ? notBrowsable()
    : new Refusal("NotFound", { public: "There is no such proxy binding." });
}
