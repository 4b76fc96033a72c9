import { z } from "zod";
import { Count, Id, Timestamp } from "../http/schemas.ts";

export const ReceivedEmailLinksDocument = z
  .object({
    data: z.array(
      z.object({
        type: z.literal("received_emails_link"),
        id: Id,
        attributes: z.object({
          recipient_email: z.string(),
          sender_email: z.string(),
          subject: z.string(),
          attachmentsCounter: Count,
          link: z.string().meta({ description: "Relative; called with the same headers it gives the details" }),
          is_processed: z.boolean().meta({ description: "Every forward and the callback of it reached their end" }),
          created_at: Timestamp,
          updated_at: Timestamp,
        }),
      }),
    ),
    links: z.object({ next: z.string().nullable() }).optional().meta({ description: "Where a page was asked for" }),
  })
  .meta({ id: "ReceivedEmailLinks" });

export const ReceivedEmailDocument = z
  .object({
    data: z.object({
      type: z.literal("received_emails_details"),
      id: Id,
      attributes: z.object({
        recipient_email: z.string(),
        sender_email: z.string(),
        subject: z.string(),
        payload: z.record(z.string(), z.unknown()).meta({
          description:
            "The headers by name; and from, subject, recipient, sender, body-plain, body-html, stripped-text, stripped-html, stripped-signature, message-headers (JSON as a string), timestamp, domain, attachments (null when none)",
        }),
        attachments: z.array(
          z.object({
            filename: z.string(),
            mime: z.string(),
            size: Count.meta({ description: "In bytes" }),
            content_id: z.string().nullable(),
            url: z.string().meta({ description: "Downloads it without credentials, for a day" }),
          }),
        ),
        is_truncated: z
          .boolean()
          .meta({ description: "Something of the headers or texts is left out because it is over a limit" }),
        is_processed: z.boolean().meta({ description: "Every forward and the callback of it reached their end" }),
        created_at: Timestamp,
        updated_at: Timestamp,
      }),
    }),
  })
  .meta({ id: "ReceivedEmail" });
