import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { isRefusal } from "./graph/refusal.ts";
import { Gate } from "./session/gate.tsx";

const attempts = 2;

/** A refusal stays one however often it is asked for; what could not be reached may be back. */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => failures < attempts && isRefusal(error, "Unreachable", "Unavailable"),
    },
  },
});

export function Application() {
  return (
    <QueryClientProvider client={client}>
      <Gate />
    </QueryClientProvider>
  );
}
