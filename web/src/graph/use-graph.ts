import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { useFreshProof } from "../proof/fresh-proof.ts";
import { type Answer, ask } from "./ask.ts";
import type { Operation } from "./operation.ts";
import type { Page } from "./pages-of.ts";
import { type GraphRefusal, isOutage } from "./refusal.ts";

/** The key of an operation's answers in the cache; without variables, of all of them. */
export function keyOf(operation: Operation<unknown, never>, variables?: unknown): unknown[] {
  return variables === undefined ? [operation.name] : [operation.name, variables];
}

/** Reads from the graph; what was read before is shown at once, and looked up again. */
export function useGraph<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  /** How long until it is looked up again, once what there is was read; never, if it says nothing. */
  refetchMs: (data: Data | undefined) => number | false = () => false,
) {
  const query = useQuery<Answer<Data>, GraphRefusal>({
    queryKey: keyOf(operation, variables),
    queryFn: ({ signal }) => ask(operation, variables, signal),
    refetchInterval: ({ state }) => (isIncomplete(state) ? recoveryMs : refetchMs(state.data?.data)),
  });
  return { ...query, data: query.data?.data, missing: query.data?.missing ?? [] };
}

/** How soon what could not be had is asked for again. */
const recoveryMs = 10_000;

/** Whether something is missing that may be back later. */
function isIncomplete({ error, data }: { error: unknown; data: Answer<unknown> | undefined }): boolean {
  return isOutage(error) || (data !== undefined && data.missing.length > 0);
}

/**
 * Reads a connection page by page.
 * @param pageOf the connection in an answer
 * @param refetchMs how long until it is looked up again, once what there is was read; never, if it says nothing
 */
export function useConnection<Data, Variables extends { after?: string | null | undefined }, Node>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, "after">,
  pageOf: (data: Data) => Page<Node> | null | undefined,
  refetchMs: (nodes: readonly Node[]) => number | false = () => false,
) {
  const query = useInfiniteQuery({
    queryKey: keyOf(operation, variables),
    queryFn: ({ pageParam, signal }) => ask(operation, { ...variables, after: pageParam } as Variables, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ data }) => {
      const info = pageOf(data)?.pageInfo;
      return info?.hasNextPage ? info.endCursor : undefined;
    },
    refetchInterval: ({ state: { error, data } }) =>
      isIncomplete({ error, data: data?.pages.find(({ missing }) => missing.length > 0) })
        ? recoveryMs
        : refetchMs(data?.pages.flatMap((page) => pageOf(page.data)?.nodes ?? []) ?? []),
    // A new search shows the former findings until it has its own.
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages.map(({ data }) => pageOf(data)) ?? [];
  return {
    ...query,
    nodes: pages.flatMap((page) => page?.nodes ?? []),
    totalCount: pages[0]?.totalCount,
    /** The service that has the list is down. */
    isMissing: query.isSuccess && pages.some((page) => !page),
  };
}

/** Has operations' answers looked up again. */
export function useInvalidate(): (...operations: Operation<unknown, never>[]) => Promise<void> {
  const client = useQueryClient();
  return async (...operations) => {
    await Promise.all(operations.map((each) => client.invalidateQueries({ queryKey: keyOf(each) })));
  };
}

/**
 * Changes something; where that takes a fresh proof, the person is asked for it first. The same again while it is under way does nothing:
 * a second press comes before the button shows the first.
 * @param stale the operations whose answers it may change, which are looked up again
 * @param after what follows at once, even if the page that asked is gone by then: it may be about what was removed
 */
export function useChange<Data, Variables>(
  operation: Operation<Data, Variables>,
  stale: readonly Operation<unknown, never>[] = [],
  after?: (data: Data) => void,
) {
  const invalidate = useInvalidate();
  const withFreshProof = useFreshProof();
  const underWay = useRef(new Set<string>());
  const change = useMutation<Data, GraphRefusal, Variables>({
    mutationFn: async (variables) => (await withFreshProof(() => ask(operation, variables))).data,
    onSuccess: (data) => {
      after?.(data);
      return invalidate(...stale);
    },
    onSettled: (_data, _error, variables) => {
      underWay.current.delete(JSON.stringify(variables));
    },
  });
  const send = change.mutate;
  const mutate = useCallback<typeof send>(
    (...request) => {
      const same = JSON.stringify(request[0]);
      if (underWay.current.has(same)) return;
      underWay.current.add(same);
      send(...request);
    },
    [send],
  );
  return { ...change, mutate };
}
