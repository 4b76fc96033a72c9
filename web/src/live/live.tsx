import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { Email, Inbox, ProxyBinding, ProxyBindings } from "../graph/gen/operations.ts";
import { keyOf } from "../graph/use-graph.ts";

const pollMs = 10_000;
const reconnectMs = 15_000;
/** A delivery's outcome is not an event of its own: it follows its mail within moments. */
const afterwardsMs = 3_000;

const LiveContext = createContext(false);

/** Whether what arrives is told as it arrives; otherwise it is asked for every few seconds. */
export function useIsLive(): boolean {
  return useContext(LiveContext);
}

/** Keeps the one connection over which the server tells what arrives, and looks for itself while that is down. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  useEffect(() => listen(client, setIsLive), [client]);
  useEffect(() => {
    if (isLive) return;
    const timer = setInterval(() => lookAgain(client), pollMs);
    return () => clearInterval(timer);
  }, [client, isLive]);
  return <LiveContext value={isLive}>{children}</LiveContext>;
}

function listen(client: QueryClient, setIsLive: (isLive: boolean) => void): () => void {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const later = (delayMs: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, delayMs);
    timers.add(timer);
  };
  let source: EventSource;
  const connect = () => {
    source = new EventSource("/events");
    source.addEventListener("open", () => {
      setIsLive(true);
      // What came while nobody listened is not told again.
      lookAgain(client);
    });
    source.addEventListener("email", () => {
      lookAgain(client);
      later(afterwardsMs, () => lookAgain(client));
    });
    source.addEventListener("error", () => {
      setIsLive(false);
      // The browser connects again by itself after a break, but not after an answer that was a refusal.
      if (source.readyState === EventSource.CLOSED) later(reconnectMs, connect);
    });
  };
  connect();
  return () => {
    source.close();
    for (const timer of timers) clearTimeout(timer);
  };
}

/** Looks up again what is on the screen; what is not, when it next is. */
function lookAgain(client: QueryClient): void {
  for (const operation of [ProxyBindings, ProxyBinding, Inbox, Email])
    void client.invalidateQueries({ queryKey: keyOf(operation) });
}
