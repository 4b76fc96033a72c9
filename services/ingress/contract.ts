import { z } from "zod";

/** The procedures of ingress. Errors of rawMessage: NotFound once the bytes are released. */
export const ingressContract = {
  service: "ingress",
  procedures: {
    /** Takes mail that an owner composed. Errors: ValidationFailed, SendingNotAllowed, RateLimited, Conflict. */
    send: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        from: z.string(),
        to: z.array(z.string()).max(100),
        cc: z.array(z.string()).max(100),
        bcc: z.array(z.string()).max(100),
        subject: z.string(),
        text: z.string().optional(),
        html: z.string().optional(),
        attachments: z.array(
          z.object({
            filename: z.string(),
            mime: z.string().optional(),
            /** Base64. */
            content: z.string(),
          }),
        ),
        /** The same one again is sent once. */
        idempotencyKey: z.string().optional(),
      }),
      output: z.object({ id: z.uuid() }),
    },
  },
  streams: {
    rawMessage: z.object({ rawId: z.uuid() }),
  },
} as const;
