import { createHash } from "node:crypto";
import type { Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { generateLocalPart } from "./generated.ts";
import { withoutSubaddress } from "./local-part.ts";
import { addressKey, type Mailbox, readMailbox } from "./mailbox.ts";

/** What is stored, for good, of an address that was issued. */
function addressDigest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/**
 * Claims an address that an account chose. The primary key decides between concurrent claims. Claims are never deleted, so
 * that a released address goes to nobody else.
 * @throws Refusal AddressTaken when another account has, or had, the address or the one that it is a subaddress of.
 */
export async function claimChosen(tx: Transaction, mailbox: Mailbox, ownerId: string): Promise<void> {
  const digest = addressDigest(mailbox.key);
  const baseKey = addressKey(withoutSubaddress(mailbox.localPart), mailbox.domain);
  await tx.query("insert into address_claim (digest, owner_id) values ($1, $2) on conflict do nothing", [
    digest,
    ownerId,
  ]);
  // Mail to alice+anything is routed to alice (see resolve), so alice+shop belongs to her account.
  const { rowCount } = await tx.query(
    "select from address_claim where digest in ($1, $2) and owner_id is distinct from $3",
    [digest, addressDigest(baseKey), ownerId],
  );
  if (rowCount > 0) throw new Refusal("AddressTaken", { public: "This proxy address is taken." });
}

/** Generates an address that was never issued for each account, and claims it. */
export async function claimGenerated(
  tx: Transaction,
  domain: string,
  ownerIds: readonly string[],
): Promise<ReadonlyMap<string, Mailbox>> {
  const claimed = new Map<string, Mailbox>();
  for (let missing = ownerIds; missing.length > 0; missing = ownerIds.filter((id) => !claimed.has(id))) {
    const candidates = new Map(missing.map((id) => [id, generated(domain)]));
    const { rows } = await tx.query<{ owner_id: string }>(
      `insert into address_claim (digest, owner_id) select * from unnest($1::bytea[], $2::uuid[])
       on conflict do nothing returning owner_id`,
      [[...candidates.values()].map(({ key }) => addressDigest(key)), [...candidates.keys()]],
    );
    const winners = new Set(rows.map(({ owner_id }) => owner_id));
    for (const [id, mailbox] of candidates) if (winners.has(id)) claimed.set(id, mailbox);
  }
  return claimed;
}

function generated(domain: string): Mailbox {
  const { mailbox, fault } = readMailbox(`${generateLocalPart()}@${domain}`);
  if (!mailbox) throw new Error(`a generated address ${fault}`);
  return mailbox;
}
