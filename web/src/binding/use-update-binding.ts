import { usePatchedBindings } from "../addresses/use-patched-bindings.ts";
import { ProxyBinding, UpdateProxyBinding } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";

/** Changes a binding; the list and its page show what came of it. */
export function useUpdateBinding() {
  const patch = usePatchedBindings();
  return useChange(UpdateProxyBinding, [ProxyBinding], ({ updateProxyBinding }) => {
    if (updateProxyBinding) patch(updateProxyBinding.proxyBinding);
  });
}
