import { useLocation, useSearch } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";

/** What a link to an email leaves in the browser's history: the list that it stands in, with its query. */
interface CameFrom {
  readonly from: string;
}

/** For a link to an email from the list that is shown. */
export function useHere(): CameFrom {
  const [path] = useLocation();
  const search = useSearch();
  return { from: search === "" ? path : `${path}?${search}` };
}

/** The list that the email was opened from; the inbox where it was opened by its address alone. */
export function useCameFrom(): CameFrom {
  const state = useHistoryState<Partial<CameFrom> | null>();
  return { from: typeof state?.from === "string" ? state.from : "/inbox" };
}
