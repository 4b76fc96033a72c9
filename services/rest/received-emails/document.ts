import type { Readable } from "node:stream";
import type { z } from "zod";
import { EmailDetails, type EmailSummary } from "../../mailbox/contract.ts";
import { firstLine } from "../../platform/rpc/first-line.ts";
import { timestamp } from "../http/schemas.ts";
import type { ReceivedEmailLinksDocument } from "./schema.ts";

type Summary = z.output<typeof EmailSummary>;

export function linkResource(email: Summary): z.output<typeof ReceivedEmailLinksDocument>["data"][number] {
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

const DetailsHead = EmailDetails.omit({ payload: true });

/** The details of an email from mailbox's stream of them. */
export async function* detailsJson(emailId: string, details: Readable): AsyncGenerator<string | Buffer> {
  yield `{"data":{"type":"received_emails_details","id":${JSON.stringify(emailId)},"attributes":`;
  yield* attributesJson(details);
  yield "}}";
}

/** The attributes in them; the payload, which may be long, goes by as it comes. */
export async function* attributesJson(details: Readable): AsyncGenerator<string | Buffer> {
  const { line, rest } = await firstLine(details);
  const email = DetailsHead.parse(JSON.parse(line));
  const attachments = email.attachments.map(({ filename, mime, sizeBytes, contentId, url }) => ({
    filename,
    mime,
    size: sizeBytes,
    content_id: contentId,
    url,
  }));
  yield `${JSON.stringify(common(email)).slice(0, -1)},"payload":`;
  yield* rest;
  const after = JSON.stringify({ attachments, is_truncated: email.isTruncated, ...ending(email) }).slice(1);
  yield `,${after}`;
}

function common(email: Summary) {
  return { recipient_email: email.recipient, sender_email: email.sender, subject: email.subject };
}

function ending(email: Summary) {
  return {
    is_processed: email.isProcessed,
    created_at: timestamp(email.createdAt),
    updated_at: timestamp(email.updatedAt),
  };
}
