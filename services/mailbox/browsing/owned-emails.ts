import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { browsableBindings } from "./browsable-bindings.ts";
import { type EmailRow, type ListedRow, listedColumns } from "./email-rows.ts";

/** An email as the graph lists it; its subject is null until it is parsed, and where its content is not to be read. */
export interface ReceivedEmailRow extends Omit<EmailRow, "subject" | "attachmentCount">, ListedRow {
  readonly subject: string | null;
}

/** An email, and whether its binding is one whose mail is read. */
export interface OwnedEmail {
  readonly row: ReceivedEmailRow;
  readonly isBrowsable: boolean;
}

/** The owner's emails by id; those that are missing or another account's are absent. */
export async function findEmails(
  db: Database,
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  emailIds: readonly string[],
): Promise<Map<string, OwnedEmail>> {
  const { rows } = await db.query<ReceivedEmailRow>(
    `select ${listedColumns} from email
       left join content on content.email_id = email.id and content.is_browsable
       left join mail_entry on mail_entry.owner_id = email.owner_id and mail_entry.email_id = email.id
      where email.id = any ($1::uuid[]) and email.owner_id = $2 and removed_at is null`,
    [emailIds.filter(isId), ownerId],
    { name: "envelopes_of", unprepared: true },
  );
  return new Map((await asOwnedEmails(bindings, ownerId, rows)).map((email) => [email.row.id, email]));
}

/** Asks bindings, since their owner may have changed them. Of an email whose binding is no longer browsable nothing of its content is left. */
export async function asOwnedEmails(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  rows: readonly ReceivedEmailRow[],
): Promise<OwnedEmail[]> {
  const browsable = await browsableBindings(bindings, ownerId, [...new Set(rows.map((row) => row.bindingId))]);
  return rows.map((row) =>
    browsable.get(row.bindingId) ? { row, isBrowsable: true } : { row: withoutContent(row), isBrowsable: false },
  );
}

function withoutContent(row: ReceivedEmailRow): ReceivedEmailRow {
  return { ...row, subject: null, fromName: null, fromAddress: null, preview: null, isKept: false, isUnread: false };
}
