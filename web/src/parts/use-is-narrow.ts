import { useSyncExternalStore } from "react";

const query = window.matchMedia("(max-width: 52rem)");

function subscribe(listener: () => void): () => void {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Whether the page is as narrow as a phone's: tables are cards there. The same bound as in the style sheets. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
