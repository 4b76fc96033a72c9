import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import type { Answer } from "../graph/ask.ts";
import {
  type BindingFragment,
  ProxyBinding,
  type ProxyBindingQuery,
  ProxyBindings,
  type ProxyBindingsQuery,
} from "../graph/gen/operations.ts";
import { keyOf } from "../graph/use-graph.ts";

type Pages = InfiniteData<Answer<ProxyBindingsQuery>>;

/** Puts a binding as it is now wherever it is shown, so that a change does not read all of a long list again. */
export function usePatchedBindings(): (binding: BindingFragment) => void {
  const client = useQueryClient();
  return (binding) => {
    client.setQueriesData<Pages>(
      { queryKey: keyOf(ProxyBindings) },
      (pages) => pages && { ...pages, pages: pages.pages.map((page) => patchedPage(page, binding)) },
    );
    client.setQueryData<Answer<ProxyBindingQuery>>(keyOf(ProxyBinding, { id: binding.id }), (answer) => {
      return answer && { ...answer, data: { ...answer.data, proxyBinding: binding } };
    });
  };
}

function patchedPage(page: Answer<ProxyBindingsQuery>, binding: BindingFragment): Answer<ProxyBindingsQuery> {
  const list = page.data.proxyBindings;
  if (!list?.nodes.some(({ id }) => id === binding.id)) return page;
  const nodes = list.nodes.map((node) => (node.id === binding.id ? binding : node));
  return { ...page, data: { ...page.data, proxyBindings: { ...list, nodes } } };
}
