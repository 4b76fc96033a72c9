import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask } from "../graph/ask.ts";
import { AddressNames } from "../graph/gen/operations.ts";
import { keyOf } from "../graph/use-graph.ts";
import { useDebounced } from "../parts/use-debounced.ts";

const settleMs = 120;

/**
 * The person's addresses that something typed is found in, asked of the server once the typing pauses.
 * @param most how many are wanted
 * @param isAllByDefault whether those of a search for nothing are wanted
 */
export function useAddressSearch(typed: string, most: number, isAllByDefault: boolean) {
  const wanted = typed.trim();
  const search = useDebounced(wanted, settleMs);
  const isWanted = isAllByDefault || wanted !== "";
  const variables = { search, first: most };
  const { data, error, isPlaceholderData, isPending, refetch } = useQuery({
    queryKey: keyOf(AddressNames, variables),
    queryFn: ({ signal }) => ask(AddressNames, variables, signal),
    enabled: isAllByDefault || search !== "",
    placeholderData: keepPreviousData,
    // Offline it fails, and can be tried again, rather than being asked when nobody looks any more.
    networkMode: "always",
  });
  const isSearching = isWanted && error === null && (search !== wanted || isPlaceholderData || isPending);
  const found = (data?.data.proxyBindings?.nodes ?? []).map(({ id, proxyAddress, description }) => {
    return { id, label: description === "" ? proxyAddress : `${proxyAddress} · ${description}` };
  });
  // A new search keeps of the former findings those that fit it, until it has its own: Enter is to open nothing that was not looked for.
  const fits = ({ label }: { label: string }) => label.toLowerCase().includes(wanted.toLowerCase());
  return { found: !isWanted ? [] : isSearching ? found.filter(fits) : found, isSearching, error, refetch };
}
