import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { mailboxContract } from "../contract.ts";
import { emailCounts, emailPages } from "./email-pages.ts";
import { linkOf, requireBrowsable } from "./email-rows.ts";

type LinksQuery = z.output<(typeof mailboxContract)["procedures"]["links"]["input"]>;
type LinksPage = z.input<(typeof mailboxContract)["procedures"]["links"]["output"]>;

/** The emails of a browsable binding that are kept, newest first. */
export async function listLinks(
  db: Database,
  bindings: Client<typeof bindingsContract>,
  query: LinksQuery,
): Promise<LinksPage> {
  const { ownerId, after, search } = query;
  // As the rows have it.
  const bindingId = query.bindingId.toLowerCase();
  await requireBrowsable(bindings, ownerId, bindingId);
  const pages = await emailPages(db, [bindingId], query);
  const { emails = [], nextCursor = null } = pages.get(bindingId) ?? {};
  const isWhole = after === undefined && nextCursor === null;
  const counts = isWhole ? undefined : await emailCounts(db, [bindingId], ownerId, search);
  return {
    emails: emails.map(linkOf),
    totalCount: isWhole ? emails.length : (counts?.get(bindingId) ?? 0),
    nextCursor,
  };
}
