import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { type Answer, ask } from "../graph/ask.ts";
import { type EmailFilter, Mail, type MailQuery } from "../graph/gen/operations.ts";
import { keyOf, useConnection } from "../graph/use-graph.ts";
import { useArrivals } from "../live/live.tsx";

type Page = Answer<MailQuery>;
type Pages = InfiniteData<Page, string | null>;

export type ListedEmail = NonNullable<MailQuery["emails"]>["nodes"][number];

/** Mail of all addresses, or what a filter leaves of it, with what arrives. Of new mail the first page alone is asked for, however much is loaded. */
export function useMail(search: string, filter: EmailFilter) {
  const client = useQueryClient();
  const variables = { search, filter };
  const key = keyOf(Mail, variables);
  const list = useConnection(Mail, variables, ({ emails }) => emails);
  useArrivals(() => {
    if (list.isPending || list.isFetching) return;
    void ask(Mail, { ...variables, after: null })
      .then((answer) => client.setQueryData<Pages>(key, (old) => old && withNewest(old, answer)))
      // What is missing now comes with the next look.
      .catch(() => undefined);
  });
  const unread = client.getQueryData<Pages>(key)?.pages[0]?.data.me?.mail?.unread;
  return { ...list, unread };
}

/** Takes a deleted email out of the lists at once, before they are read again. */
export function useLeftOut(): (id: string) => void {
  const client = useQueryClient();
  return (id) =>
    client.setQueriesData<Pages>(
      { queryKey: keyOf(Mail) },
      (old) => old && { ...old, pages: old.pages.map(without(id)) },
    );
}

const without = (id: string) => (page: Page) => {
  const { emails } = page.data;
  if (!emails) return page;
  return {
    ...page,
    data: { ...page.data, emails: { ...emails, nodes: emails.nodes.filter((node) => node.id !== id) } },
  };
};

/**
 * The newest in place of what the first page had: emails that are older than its end stay, on the page where they are. Ids are in order of
 * time.
 */
function withNewest(old: Pages, newest: Page): Pages {
  const [first, ...rest] = old.pages;
  const fresh = newest.data.emails;
  const had = first?.data.emails;
  if (!first || !fresh || !had) return { ...old, pages: [newest, ...rest] };
  const end = fresh.nodes.at(-1)?.id;
  const older = fresh.pageInfo.hasNextPage && end !== undefined ? had.nodes.filter(({ id }) => id < end) : [];
  const emails = {
    ...fresh,
    nodes: [...fresh.nodes, ...older],
    pageInfo: older.length > 0 || rest.length > 0 ? had.pageInfo : fresh.pageInfo,
  };
  return { ...old, pages: [{ ...newest, data: { ...newest.data, emails } }, ...rest] };
}
