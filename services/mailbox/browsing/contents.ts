import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import type { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { type EmailRow, emailColumns, notBrowsable } from "./email-rows.ts";

/** An email as the graph lists it; its subject is null until it is parsed. */
export type ReceivedEmailRow = Omit<EmailRow, "subject" | "attachmentCount"> & { subject: string | null };

/**
 * The owner's emails by id: a refusal for those of bindings that are not browsable any more; those that are missing or
 * another account's are absent.
 */
export async function findEmails(
  db: Database,
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  emailIds: readonly string[],
): Promise<Map<string, ReceivedEmailRow | Refusal>> {
  const { rows } = await db.query<ReceivedEmailRow>(
    `select ${emailColumns} from email left join content on email_id = email.id and content.is_browsable
      where email.id = any ($1::uuid[]) and owner_id = $2 and removed_at is null`,
    [emailIds.filter(isId), ownerId],
    { name: "envelopes_of", unprepared: true },
  );
  const browsable = await browsableBindings(bindings, ownerId, [...new Set(rows.map((row) => row.bindingId))]);
  return new Map(rows.map((row) => [row.id, browsable.get(row.bindingId) ? row : notBrowsable()]));
}

/** Whether each of the owner's bindings is browsable, by id; missing and other accounts' bindings are absent. */
export async function browsableBindings(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  bindingIds: readonly string[],
): Promise<Map<string, boolean>> {
  if (bindingIds.length === 0) return new Map();
  const found = await bindings.getMany({ ownerId, ids: [...bindingIds] });
  return new Map(found.map(({ id, isBrowsable }) => [id, isBrowsable]));
}
