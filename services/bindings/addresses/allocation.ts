import { createHash } from "node:crypto";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { addressKey, type EmailAddress, parseEmailAddress } from "./email-address.ts";
import { generateLocalPart } from "./generated.ts";
import { withoutSubaddress } from "./local-part.ts";

const newAllocations = recordSet({ digest: "bytea", ownerId: "uuid" });

/** What is stored, for good, of an address that was issued; on an account's own domain, within an epoch of the domain. */
export function addressDigest(key: string, epoch?: number): Buffer {
  return createHash("sha256")
    .update(epoch === undefined ? key : `${epoch} ${key}`)
    .digest();
}

/**
 * Allocates to an account an address that it chose, and the one that it is a subaddress of: mail to alice+anything is routed to alice
 * (see resolve), so both must belong to one account, whichever comes first. The primary key decides between concurrent
 * allocations. They are never deleted, so that a released address is never given to another account. The owner is locked.
 * @param epoch of the domain, where it is an account's own
 * @throws Refusal AddressTaken when another account has, or had, either; QuotaExceeded after `perDay` new ones in 24 hours.
 */
export async function allocateChosen(
  tx: Transaction,
  emailAddress: EmailAddress,
  { ownerId, epoch, perDay }: { ownerId: string; epoch: number | undefined; perDay: number },
): Promise<void> {
  const baseKey = addressKey(withoutSubaddress(emailAddress.localPart), emailAddress.domain);
  const digests = [...new Set([emailAddress.key, baseKey])].map((key) => addressDigest(key, epoch));
  // In one order everywhere, so that two accounts cannot deadlock.
  const { rowCount: added } = await tx.query(
    "insert into address_claim (digest, owner_id, chosen_at) select digest, $2, now() from unnest($1::bytea[]) as given (digest) order by digest on conflict do nothing",
    [digests, ownerId],
  );
  const { rowCount: others } = await tx.query(
    "select from address_claim where digest = any ($1) and owner_id is distinct from $2",
    [digests, ownerId],
  );
  if (others > 0) throw new Refusal("AddressTaken", { public: "This proxy address is taken." });
  if (added > 0) await checkAllocations(tx, ownerId, perDay);
}

async function checkAllocations(tx: Transaction, ownerId: string, perDay: number): Promise<void> {
  const { rows } = await tx.query<{ count: number }>(
    "select count(*) as count from address_claim where owner_id = $1 and chosen_at > now() - interval '24 hours'",
    [ownerId],
  );
  if ((rows[0]?.count ?? 0) > perDay)
    throw new Refusal("QuotaExceeded", {
      public: `No more than ${perDay} new proxy addresses can be chosen within 24 hours.`,
    });
}

/** Allocates an address that mail has come to. False if it is allocated already, to whomever. */
export async function allocateUnused(
  tx: Transaction,
  key: string,
  { ownerId, epoch }: { ownerId: string; epoch: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    "insert into address_claim (digest, owner_id) values ($1, $2) on conflict do nothing",
    [addressDigest(key, epoch), ownerId],
  );
  return rowCount > 0;
}

/** Generates an address that was never issued for each account, and allocates it. */
export async function allocateGenerated(
  tx: Transaction,
  domain: string,
  ownerIds: readonly string[],
): Promise<ReadonlyMap<string, EmailAddress>> {
  const allocated = new Map<string, EmailAddress>();
  for (let missing = ownerIds; missing.length > 0; missing = ownerIds.filter((id) => !allocated.has(id))) {
    const candidates = new Map(missing.map((id) => [id, generateAddress(domain)]));
    const { rows } = await tx.query<{ ownerId: string }>(
      `insert into address_claim (${newAllocations.columns}) select * from ${newAllocations.from("given")}
       on conflict do nothing returning owner_id`,
      newAllocations.params([...candidates].map(([ownerId, { key }]) => ({ digest: addressDigest(key), ownerId }))),
    );
    const winners = new Set(rows.map(({ ownerId }) => ownerId));
    for (const [id, emailAddress] of candidates) if (winners.has(id)) allocated.set(id, emailAddress);
  }
  return allocated;
}

/** An address on a domain, made up: nobody's until it is allocated. */
export function generateAddress(domain: string): EmailAddress {
  const { emailAddress, fault } = parseEmailAddress(`${generateLocalPart()}@${domain}`);
  if (!emailAddress) throw new Error(`a generated address ${fault}`);
  return emailAddress;
}
