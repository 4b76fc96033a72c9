import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { listenToOtherTabs } from "../graph/other-tabs.ts";
import { pageCount } from "../graph/page-count.ts";
import { useSessionChange } from "./use-session-change.ts";

/** Of many changes at once all are looked up together. */
const togetherMs = 300;

/** Looks up again what is shown when another tab changed something, and leaves when another tab signed out. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  const leave = useSessionChange();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => void client.invalidateQueries({ predicate: ({ state }) => pageCount(state.data) <= 1 });
    const stop = listenToOtherTabs((news) => {
      clearTimeout(timer);
      if (news === "signed-out") void leave();
      else timer = setTimeout(look, togetherMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, leave]);
}
