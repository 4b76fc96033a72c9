import type { z } from "zod";
import type { EmailSummary } from "../contract.ts";
import type { FailureReason } from "../emails/failure-reasons.ts";

export interface EmailRow {
  id: string;
  bindingId: string;
  /** FORWARD, ANSWER or SEND. */
  direction: string;
  proxyAddress: string;
  sender: string;
  recipient: string;
  subject: string;
  attachmentCount: number;
  isProcessed: boolean;
  receivedAt: Date;
  updatedAt: Date;
}

export const emailColumns = `email.id, email.binding_id, direction, proxy_address, sender, recipient, subject,
  attachment_count, is_processed, email.received_at, updated_at`;

/** What lists show besides; null for mail that was stored before there were lists. */
export interface ListedRow {
  fromName: string | null;
  fromAddress: string | null;
  preview: string | null;
  isUnread: boolean;
  isKept: boolean;
  expectedOutcomes: number;
  deliveredCount: number;
  failedCount: number;
  retryingCount: number;
  heldCount: number;
  nextAttemptAt: Date | null;
  failureReasons: FailureReason[];
}

/** From email, left joined with content and mail_entry. */
export const listedColumns = `${emailColumns}, from_name, from_address, preview, content.email_id is not null as is_kept, expected_outcomes,
  coalesce(is_unread, false) as is_unread, coalesce(delivered_count, 0) as delivered_count, coalesce(failed_count, 0) as failed_count,
  coalesce(retrying_count, 0) as retrying_count, coalesce(held_count, 0) as held_count, next_attempt_at,
  coalesce(failure_reasons, '{}') as failure_reasons`;

export function summaryOf(row: EmailRow): z.input<typeof EmailSummary> {
  return {
    id: row.id,
    bindingId: row.bindingId,
    recipient: row.proxyAddress,
    sender: row.sender,
    subject: row.subject,
    attachmentCount: row.attachmentCount,
    isProcessed: row.isProcessed,
    createdAt: row.receivedAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
