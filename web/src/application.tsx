import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { isOutage } from "./graph/refusal.ts";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { OfflineBar } from "./parts/offline-bar.tsx";
import { SessionGate } from "./session/session-gate.tsx";
import { TextsProvider } from "./texts/texts.tsx";

const attempts = 2;

/** A refusal stays one however often it is asked for; what could not be reached may be back. */
const client = new QueryClient({
  defaultOptions: {
    // What is done offline fails at once and says so, rather than being done when nobody expects it any more.
    mutations: { networkMode: "always" },
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => failures < attempts && isOutage(error),
    },
  },
});

export function Application() {
  return (
    <QueryClientProvider client={client}>
      <TextsProvider>
        <OfflineBar />
        <ErrorBoundary place="application">
          <SessionGate />
        </ErrorBoundary>
      </TextsProvider>
    </QueryClientProvider>
  );
}
