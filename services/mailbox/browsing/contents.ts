import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import type { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { EmailDetails } from "../contract.ts";
import type { Header } from "../mime/headers.ts";
import { bodiesOf } from "../payload/payload.ts";
import { type EnvelopeRow, envelopeColumns, notBrowsable } from "./email-rows.ts";

export type Content = Pick<z.output<typeof EmailDetails>, "subject" | "text" | "html" | "headers">;

/** An email's envelope; its subject is null as long as it has not been read. */
export type Envelope = Omit<EnvelopeRow, "subject" | "attachmentCount"> & { subject: string | null };

/**
 * The owner's emails of these ids, by id: those of bindings that are no longer browsable as a refusal, those that are
 * missing or somebody else's not at all.
 */
export async function envelopesOf(
  db: Database,
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  emailIds: readonly string[],
): Promise<Map<string, Envelope | Refusal>> {
  const { rows } = await db.query<Envelope>(
    `select ${envelopeColumns} from email left join content on email_id = email.id and content.is_browsable
      where email.id = any ($1::uuid[]) and owner_id = $2 and removed_at is null`,
    [emailIds.filter(isId), ownerId],
    { name: "envelopes_of", isPlannedAnew: true },
  );
  const browsable = await browsableAmong(bindings, ownerId, [...new Set(rows.map((row) => row.bindingId))]);
  return new Map(rows.map((row) => [row.id, browsable.get(row.bindingId) ? row : notBrowsable()]));
}

/** Which of the owner's bindings may be browsed; absent: missing, or somebody else's. */
export async function browsableAmong(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  bindingIds: readonly string[],
): Promise<Map<string, boolean>> {
  if (bindingIds.length === 0) return new Map();
  const found = await bindings.getMany({ ownerId, ids: [...bindingIds] });
  return new Map(found.map(({ id, isBrowsable }) => [id, isBrowsable]));
}

/** What was read of emails that the caller may browse, by id; absent as long as one has not been read. */
export async function contentsOf(db: Database, emailIds: readonly string[]): Promise<Map<string, Content>> {
  const { rows } = await db.query<{
    id: string;
    subject: string;
    headers: Header[];
    text: string | null;
    html: string | null;
  }>(
    `select email_id as id, subject, headers, body_plain as text, body_html as html from content
      where email_id = any ($1::uuid[]) and is_browsable`,
    [emailIds],
    { name: "contents_of" },
  );
  return new Map(
    rows.map(({ id, subject, headers, ...bodies }) => [
      id,
      { subject, ...bodiesOf(bodies), headers: headers.map(([name, value]) => ({ name, value })) },
    ]),
  );
}
