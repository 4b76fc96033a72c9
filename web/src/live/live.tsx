import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { ProxyBinding, ProxyBindings } from "../graph/gen/operations.ts";
import { pageCount } from "../graph/page-count.ts";
import { keyOf } from "../graph/use-graph.ts";

const pollMs = 10_000;
const reconnectMs = 15_000;
/** A delivery's outcome is not an event of its own: it follows its mail within moments. */
const afterwardsMs = 3_000;

type Look = () => void;

interface Live {
  readonly isLive: boolean;
  /** Those that look for themselves what arrived. */
  readonly looks: Set<Look>;
  /** Those that tell what arrives to who is not looking at the page. */
  readonly unseenLooks: Set<Look>;
}

const LiveContext = createContext<Live>({ isLive: false, looks: new Set(), unseenLooks: new Set() });

/** Whether what arrives is told as it arrives; otherwise it is asked for every few seconds. */
export function useIsLive(): boolean {
  return useContext(LiveContext).isLive;
}

/** Calls `look` when there may be new mail. As long as anybody looks like this, nothing else is asked for. */
export function useArrivals(look: Look): void {
  useAmong(useContext(LiveContext).looks, look);
}

/** Calls `look` when new mail arrives while nobody looks at the page: at once, and what the page shows is looked up once, later. */
export function useUnseenArrivals(look: Look): void {
  useAmong(useContext(LiveContext).unseenLooks, look);
}

function useAmong(looks: Set<Look>, look: Look): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const call = () => latest.current();
    looks.add(call);
    return () => {
      looks.delete(call);
    };
  }, [looks]);
}

/** Keeps the one connection over which the server tells what arrives, and looks for itself while that is down. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const [looks] = useState(() => new Set<Look>());
  const [unseenLooks] = useState(() => new Set<Look>());
  useEffect(() => {
    const look = () => lookAgain(client, looks);
    const lookFirst = () => {
      if (unseenLooks.size === 0 || document.hasFocus()) look();
      else for (const unseen of unseenLooks) unseen();
    };
    return listen(lookFirst, look, setIsLive);
  }, [client, looks, unseenLooks]);
  useEffect(() => {
    if (isLive) return;
    const timer = setInterval(() => lookAgain(client, looks), pollMs);
    return () => clearInterval(timer);
  }, [client, looks, isLive]);
  return <LiveContext value={{ isLive, looks, unseenLooks }}>{children}</LiveContext>;
}

/** @param lookFirst for what arrives after a pause */
function listen(lookFirst: Look, look: Look, setIsLive: (isLive: boolean) => void): () => void {
  let again: ReturnType<typeof setTimeout> | undefined;
  let afterwards: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  const connect = () => {
    source = new EventSource("/events");
    source.addEventListener("open", () => {
      setIsLive(true);
      // What came while nobody listened is not told again.
      look();
    });
    source.addEventListener("email", () => {
      // Of many at once the first is looked for, and all of them once the last has come.
      if (afterwards === undefined) lookFirst();
      clearTimeout(afterwards);
      afterwards = setTimeout(() => {
        afterwards = undefined;
        look();
      }, afterwardsMs);
    });
    source.addEventListener("error", () => {
      setIsLive(false);
      // The browser connects again by itself after a break, but not after an answer that was a refusal.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(connect, reconnectMs);
    });
  };
  connect();
  return () => {
    source.close();
    clearTimeout(again);
    clearTimeout(afterwards);
  };
}

/** Looks up again what is on the screen, one request at a time; what is not, when it next is. */
function lookAgain(client: QueryClient, looks: ReadonlySet<Look>): void {
  for (const look of looks) look();
  for (const operation of [ProxyBindings, ProxyBinding])
    void client.invalidateQueries({
      queryKey: keyOf(operation),
      refetchType: looks.size > 0 ? "none" : "active",
      predicate: ({ state }) => pageCount(state.data) <= 1,
    });
}
