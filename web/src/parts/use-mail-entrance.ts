import { useQuery } from "@tanstack/react-query";

/** Where mail comes in, as `smtp://host:port`, if this service's domain exists on its own machine alone; otherwise undefined. */
export function useMailEntrance(): string | undefined {
  const { data } = useQuery({
    queryKey: ["mail-entrance"],
    queryFn: async () => {
      const response = await fetch("/mail-entrance.json");
      const { smtp } = (await response.json()) as { smtp: string | null };
      return smtp;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}
