import { useQuery } from "@tanstack/react-query";

/** Where mail comes in, as `smtp://host:port`, if this service's domain exists on its own machine alone; otherwise undefined. */
export function useSmtpUrl(): string | undefined {
  const { data } = useQuery({
    queryKey: ["smtp-url"],
    queryFn: async () => {
      const response = await fetch("/smtp.json");
      const { smtp } = (await response.json()) as { smtp: string | null };
      return smtp;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}
