interface Page<T> {
  nodes: T[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** What a list of the graph holds, one page after the other. */
export async function* pages<T>(
  ask: (after: string | null) => Promise<Page<T> | null | undefined>,
): AsyncIterableIterator<T> {
  let after: string | null = null;
  do {
    const page: Page<T> | null | undefined = await ask(after);
    if (!page) return;
    yield* page.nodes;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}
