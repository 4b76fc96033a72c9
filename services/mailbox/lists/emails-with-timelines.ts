import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { asOwnedEmails } from "../browsing/owned-emails.ts";
import type { mailboxContract } from "../contract.ts";
import { timelinesOf } from "../emails/timeline.ts";
import { listAccountEmails } from "./list-account-emails.ts";

type Question = z.output<(typeof mailboxContract)["procedures"]["accountEmails"]["input"]>;
type Page = z.input<(typeof mailboxContract)["procedures"]["accountEmails"]["output"]>;

/** A page of an account's emails with their timelines. @throws Refusal ValidationFailed for a malformed cursor */
export async function listEmailsWithTimelines(
  db: Database,
  bindings: Client<typeof bindingsContract>,
  question: Question,
): Promise<Page> {
  const { ownerId } = question;
  const { emails, nextCursor } = await listAccountEmails(db, question);
  const ids = emails.map(({ id }) => id);
  const [found, timelines] = await Promise.all([
    asOwnedEmails(bindings, ownerId, emails),
    timelinesOf(db, ownerId, ids),
  ]);
  const shown = found.map(({ row }) => ({
    id: row.id,
    bindingId: row.bindingId,
    direction: row.direction,
    recipient: row.proxyAddress,
    sender: row.sender,
    subject: row.subject,
    isKept: row.isKept,
    isProcessed: row.isProcessed,
    createdAt: row.receivedAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    timeline: timelines.get(row.id) ?? [],
  }));
  return { emails: shown, nextCursor };
}
