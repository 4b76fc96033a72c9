import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { EmailSummary } from "../contract.ts";

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
  attachment_count, is_processed, received_at, updated_at`;

/**
 * Asks bindings each time, because the owner may have changed it.
 * @throws Refusal NotFound (missing, or another account's); NotBrowsable.
 */
export async function requireBrowsable(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  bindingId: string,
): Promise<void> {
  const binding = await bindings.get({ ownerId, id: bindingId });
  if (!binding.isBrowsable) throw notBrowsable();
}

export function notBrowsable(): Refusal {
  return new Refusal("NotBrowsable", {
    public: "The emails of this proxy binding are not kept for reading: it is not browsable.",
  });
}

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
