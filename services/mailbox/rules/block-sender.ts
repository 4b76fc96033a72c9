import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";

interface Blocking {
  readonly ownerId: string;
  readonly emailId: string;
  readonly isForAccount: boolean;
  readonly apiKey: Parameters<Client<typeof bindingsContract>["blockSender"]>[0]["apiKey"];
}

/** Has bindings refuse what the author of an email writes. @returns the rule's id @throws Refusal NotFound, ValidationFailed, QuotaExceeded, Forbidden */
export async function blockSender(
  db: Database,
  bindings: Pick<Client<typeof bindingsContract>, "blockSender">,
  { ownerId, emailId, isForAccount, apiKey }: Blocking,
): Promise<string> {
  const email = isId(emailId) ? await find(db, ownerId, emailId) : undefined;
  if (!email) throw new Refusal("NotFound", { public: "There is no such email." });
  const { bindingId, sender, fromAddress: from } = email;
  return (await bindings.blockSender({ ownerId, bindingId, isForAccount, from, sender, apiKey })).id;
}

/** One that came from outside: nobody blocks themselves. */
async function find(db: Database, ownerId: string, emailId: string) {
  const { rows } = await db.query<{ bindingId: string; sender: string; fromAddress: string | null }>(
    `select email.binding_id, sender, from_address
       from email left join content on content.email_id = email.id and content.is_browsable and removed_at is null
      where email.id = $1 and email.owner_id = $2 and direction = 'FORWARD'`,
    [emailId, ownerId],
    { name: "block_sender" },
  );
  return rows[0];
}
