import { ProxyBinding, ProxyBindings, UpdateProxyBinding } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";

/** Changes a binding; the board and its page show what came of it. */
export function useUpdateBinding() {
  return useChange(UpdateProxyBinding, [ProxyBindings, ProxyBinding]);
}
