import type { z } from "zod";
import type { bindingsContract } from "../bindings/contract.ts";
import type { Database } from "../platform/db/types.ts";
import { Refusal } from "../platform/errors.ts";
import { isId } from "../platform/ids.ts";
import type { Client } from "../platform/rpc/contract.ts";
import type { EmailLink, mailboxContract } from "./contract.ts";

type Link = z.input<typeof EmailLink>;
type LinksQuery = z.output<(typeof mailboxContract)["procedures"]["links"]["input"]>;
type LinksPage = z.input<(typeof mailboxContract)["procedures"]["links"]["output"]>;

export interface EnvelopeRow {
  id: string;
  bindingId: string;
  proxyAddress: string;
  sender: string;
  recipient: string;
  subject: string;
  attachmentCount: number;
  isProcessed: boolean;
  receivedAt: Date;
  updatedAt: Date;
}

export const envelopeColumns = `email.id, email.binding_id as "bindingId", proxy_address as "proxyAddress", sender, recipient, subject,
  attachment_count as "attachmentCount", is_processed as "isProcessed", received_at as "receivedAt", updated_at as "updatedAt"`;

/**
 * Whether a binding's mail may be browsed is asked of bindings each time: its owner may have changed it.
 * @throws Refusal NotFound, also for a binding that is somebody else's; NotBrowsable.
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

/** The emails of a browsable binding that are kept, newest first. */
export async function listLinks(
  db: Database,
  bindings: Client<typeof bindingsContract>,
  query: LinksQuery,
): Promise<LinksPage> {
  const { ownerId, bindingId, first, after, search } = query;
  if (after !== undefined && !isId(after))
    throw new Refusal("ValidationFailed", { public: "after: is no cursor of this list." });
  await requireBrowsable(bindings, ownerId, bindingId);
  const wanted = searched(search);
  const { rows } = await db.query<EnvelopeRow>(
    `select ${envelopeColumns} from content join email on email.id = content.email_id
      where content.binding_id = $1 and content.is_browsable and owner_id = $2 and ($3::uuid is null or email_id < $3) and ${matches("$4")}
      order by email_id desc limit $5`,
    [bindingId, ownerId, after ?? null, wanted, first === undefined ? null : first + 1],
    { name: "email_links" },
  );
  const page = first === undefined ? rows : rows.slice(0, first);
  const isWhole = after === undefined && page.length === rows.length;
  return {
    emails: page.map(linkOf),
    totalCount: isWhole ? rows.length : await countLinks(db, ownerId, bindingId, wanted),
    nextCursor: page.length < rows.length ? (page.at(-1)?.id ?? null) : null,
  };
}

/** What is looked for as PostgreSQL takes it; null: nothing in particular. */
export function searched(search: string | undefined): string | null {
  return search === undefined || search.trim() === "" ? null : search.toWellFormed().replaceAll("\0", "");
}

/** Sender or subject holds the text, without regard to case. */
export function matches(parameter: string): string {
  return `(${parameter}::text is null or strpos(lower(subject), lower(${parameter})) > 0 or strpos(lower(sender), lower(${parameter})) > 0)`;
}

async function countLinks(db: Database, ownerId: string, bindingId: string, wanted: string | null): Promise<number> {
  const params = [bindingId, ownerId];
  const { rows } =
    wanted === null
      ? await db.query<{ count: number }>(
          "select count(*) from content where binding_id = $1 and is_browsable",
          [bindingId],
          { name: "email_links_count" },
        )
      : await db.query<{ count: number }>(
          `select count(*) from content join email on email.id = email_id
            where content.binding_id = $1 and content.is_browsable and owner_id = $2 and ${matches("$3")}`,
          [...params, wanted],
          { name: "email_links_match_count" },
        );
  return rows[0]?.count ?? 0;
}

export function linkOf(row: EnvelopeRow): Link {
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
