import { z } from "zod";

/** The bytes of a message as they came. Errors: NotFound once they are released. */
export const ingressContract = {
  service: "ingress",
  procedures: {},
  streams: {
    rawMessage: z.object({ rawId: z.uuid() }),
  },
} as const;
