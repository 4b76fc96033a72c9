import DataLoader from "dataloader";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { browsableBindings, notBrowsable } from "./browsable-bindings.ts";
import { type EmailPage, emailCounts, emailPages } from "./email-pages.ts";

/** One binding's emails as the graph asks for them. */
export interface PageRequest {
  bindingId: string;
  first: number;
  after?: string | undefined;
  search?: string | undefined;
}

/** Loads pages and counts of many bindings' emails: requests that differ by the binding alone share a statement. */
export function pageLoader(db: Database, bindings: Client<typeof bindingsContract>, owner: () => string) {
  const optionsKey = ({ first, after, search }: PageRequest) => JSON.stringify([first, after, search]);
  const cacheKeyFn = (request: PageRequest) => `${request.bindingId} ${optionsKey(request)}`;

  const pages = new DataLoader<PageRequest, EmailPage, string>(
    async (requests) => {
      const ownerId = owner();
      const browsable = await browsableBindings(bindings, ownerId, idsOf(requests));
      return loadGrouped(requests, optionsKey, async (group, options) => {
        const open = idsOf(group).filter((id) => browsable.get(id));
        const found = await emailPages(db, open, { ...options, ownerId });
        return (id) => found.get(id) ?? refusalFor(browsable.get(id));
      });
    },
    { cacheKeyFn },
  );
  // Asked for below a page only, which is refused for a binding that is not browsable.
  const counts = new DataLoader<PageRequest, number, string>(
    (requests) =>
      loadGrouped(requests, optionsKey, async (group, { search }) => {
        const found = await emailCounts(db, idsOf(group), owner(), search);
        return (id) => found.get(id) ?? 0;
      }),
    { cacheKeyFn },
  );
  return { page: (request: PageRequest) => pages.load(request), count: (request: PageRequest) => counts.load(request) };
}

/** Loads each group of requests with equal options together; the results are in the order of the requests. */
async function loadGrouped<Result>(
  requests: readonly PageRequest[],
  groupKey: (request: PageRequest) => string,
  read: (group: readonly PageRequest[], options: PageRequest) => Promise<(bindingId: string) => Result>,
): Promise<Result[]> {
  const groups = [...Map.groupBy(requests, groupKey)];
  const answers = new Map(
    await Promise.all(groups.map(async ([key, group]) => [key, await read(group, group[0] as PageRequest)] as const)),
  );
  return requests.map((request) => (answers.get(groupKey(request)) as (id: string) => Result)(request.bindingId));
}

function idsOf(requests: readonly PageRequest[]): string[] {
  return [...new Set(requests.map(({ bindingId }) => bindingId))];
}

function refusalFor(isBrowsable: boolean | undefined): Refusal {
  return isBrowsable === false
    ? notBrowsable()
    : new Refusal("NotFound", { public: "There is no such proxy binding." });
}
