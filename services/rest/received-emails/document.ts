import type { z } from "zod";
import type { EmailDetails, EmailSummary } from "../../mailbox/contract.ts";
import { timestamp } from "../http/schemas.ts";
import type { ReceivedEmailDocument, ReceivedEmailLinksDocument } from "./schema.ts";

type Link = z.output<typeof EmailSummary>;

export function linkResource(email: Link): z.output<typeof ReceivedEmailLinksDocument>["data"][number] {
  return {
    type: "received_emails_link",
    id: email.id,
    attributes: {
      ...common(email),
      attachmentsCounter: email.attachmentCount,
      link: `/api/v1/received-emails/${email.id}`,
      ...ending(email),
    },
  };
}

export function detailsDocument(email: z.output<typeof EmailDetails>): z.output<typeof ReceivedEmailDocument> {
  const attachments = email.attachments.map(({ filename, mime, sizeBytes, contentId, url }) => ({
    filename,
    mime,
    size: sizeBytes,
    content_id: contentId,
    url,
  }));
  return {
    data: {
      type: "received_emails_details",
      id: email.id,
      attributes: {
        ...common(email),
        payload: email.payload,
        attachments,
        is_truncated: email.isTruncated,
        ...ending(email),
      },
    },
  };
}

function common(email: Link) {
  return { recipient_email: email.recipient, sender_email: email.sender, subject: email.subject };
}

function ending(email: Link) {
  return {
    is_processed: email.isProcessed,
    created_at: timestamp(email.createdAt),
    updated_at: timestamp(email.updatedAt),
  };
}
