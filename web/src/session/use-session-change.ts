import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { Me } from "../graph/gen/operations.ts";
import { keyOf } from "../graph/use-graph.ts";

/** What follows a change of who is signed in: nothing of the former one stays in memory, and the gate looks again. */
export function useSessionChange(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== Me.name });
    await client.resetQueries({ queryKey: keyOf(Me) });
  }, [client]);
}
