import { z } from "zod";
import { bucketProcedures } from "../platform/blobs/contract.ts";

const EmailOfMessage = z.object({ emailId: z.uuid(), rawId: z.uuid() });

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
    /** For operators: messages that are kept, the oldest first, and what each of their emails was published as. */
    keptMessages: {
      kind: "query",
      input: z.object({
        after: z.uuid().nullable(),
        since: z.iso.datetime(),
        before: z.iso.datetime(),
        limit: z.number().int().min(1).max(1_000),
      }),
      output: z.array(
        z.object({
          rawId: z.uuid(),
          emails: z.array(
            z.object({
              emailId: z.uuid(),
              /** Null where the event was not kept: the message came under an earlier release. */
              topic: z.string().nullable(),
              forwardCount: z.number().int(),
            }),
          ),
        }),
      ),
    },
    /** For operators: publishes the events of kept messages again, under their former ids. */
    publishAgain: {
      kind: "mutation",
      input: z.object({ emails: z.array(EmailOfMessage).max(1_000) }),
      output: z.object({ count: z.number().int() }),
    },
    /** For operators: as mail.released does. */
    release: {
      kind: "mutation",
      input: z.object({ emails: z.array(EmailOfMessage).max(1_000) }),
      output: z.object({}),
    },
    ...bucketProcedures,
  },
  streams: {
    rawMessage: z.object({ rawId: z.uuid() }),
  },
} as const;
