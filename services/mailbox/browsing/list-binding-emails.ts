import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { mailboxContract } from "../contract.ts";
import { requireBrowsable } from "./browsable-bindings.ts";
import { emailCounts, emailPages } from "./email-pages.ts";
import { summaryOf } from "./email-rows.ts";

type ListQuery = z.output<(typeof mailboxContract)["procedures"]["list"]["input"]>;
type ListPage = z.input<(typeof mailboxContract)["procedures"]["list"]["output"]>;

/** Lists the stored emails that came to a browsable binding, newest first. @throws Refusal NotFound; NotBrowsable; ValidationFailed. */
export async function listBindingEmails(
  db: Database,
  bindings: Client<typeof bindingsContract>,
  query: ListQuery,
): Promise<ListPage> {
  const { ownerId, after, search } = query;
  // Rows hold UUIDs in lower case.
  const bindingId = query.bindingId.toLowerCase();
  await requireBrowsable(bindings, ownerId, bindingId);
  const pages = await emailPages(db, [bindingId], { ...query, isReceivedOnly: true });
  const { emails = [], nextCursor = null } = pages.get(bindingId) ?? {};
  const isWhole = after === undefined && nextCursor === null;
  const counts = isWhole ? undefined : await emailCounts(db, [bindingId], ownerId, search, true);
  return {
    emails: emails.map(summaryOf),
    totalCount: isWhole ? emails.length : (counts?.get(bindingId) ?? 0),
    nextCursor,
  };
}
