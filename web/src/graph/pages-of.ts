import { ask } from "./ask.ts";
import type { Operation } from "./operation.ts";
import { GraphRefusal } from "./refusal.ts";

export interface Page<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount?: number | undefined;
}

/**
 * Reads all of a connection, page by page as they are taken.
 * @param pageOf the connection in an answer
 * @param asking what each page is asked for by
 * @throws GraphRefusal as `ask` does, and where the service that has the list is down
 */
export async function* pagesOf<Data, Variables extends { after?: string | null | undefined }, Node>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, "after">,
  pageOf: (data: Data) => Page<Node> | null | undefined,
  asking: <T>(action: () => Promise<T>) => Promise<T>,
): AsyncGenerator<readonly Node[]> {
  let after: string | null = null;
  do {
    const from: string | null = after;
    const { data } = await asking(() => ask(operation, { ...variables, after: from } as Variables));
    const page = pageOf(data);
    if (!page) throw new GraphRefusal("the list is not there", "Unavailable");
    yield page.nodes;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}
