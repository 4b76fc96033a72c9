import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { domainOf } from "../../message/address/addr-spec.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { allocateUnused } from "../addresses/allocation.ts";
import { type EmailAddress, parseEmailAddress } from "../addresses/email-address.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { derivedId } from "../derived-id.ts";
import { insertBindings } from "../proxy-bindings/rows.ts";
import { generateInternalAddress } from "../real-addresses/real-addresses.ts";
import { provedAt } from "../targets/proved-at.ts";
import { publishVerified, type VerifiedAddress, verifiedColumns } from "../verification/verified-event.ts";

type Accepted = Pick<
  MailAccepted,
  | "bindingId"
  | "ownerId"
  | "proxyAddress"
  | "targets"
  | "unverifiedTargets"
  | "skippedTargets"
  | "isBrowsable"
  | "newBinding"
>;

type Unverified = Omit<VerifiedAddress, "verifiedAt"> & { verifiedAt: null };

const description = "Made for the first mail that came to it.";

/**
 * Makes the bindings of addresses that a pattern has taken: those whose id is the one derived from domain, epoch and address.
 * First mails that come at once make one; an address that is allocated by now makes none.
 */
export async function createFromMail(
  tx: Transaction,
  domains: ServedDomains,
  messages: readonly Accepted[],
): Promise<void> {
  const candidates = new Map<string, { message: Accepted; address: EmailAddress }>();
  for (const message of messages) {
    // Most mail, and parsed no further.
    if (domainOf(message.proxyAddress) === domains.service) continue;
    const { emailAddress: address } = parseEmailAddress(message.proxyAddress);
    if (address && address.domain !== domains.service) candidates.set(message.bindingId, { message, address });
  }
  if (candidates.size === 0) return;
  const { rows } = await tx.query<{ id: string }>("select id from binding where id = any ($1::uuid[])", [
    [...candidates.keys()],
  ]);
  for (const { id } of rows) candidates.delete(id);
  if (candidates.size === 0) return;
  const owners = [...candidates.values()].map(({ message }) => message.ownerId);
  await tx.query("select from owner where id = any ($1::uuid[]) order by id for update", [owners]);
  for (const { message, address } of candidates.values()) await createOne(tx, domains, message, address);
}

async function createOne(
  tx: Transaction,
  domains: ServedDomains,
  message: Accepted,
  address: EmailAddress,
): Promise<void> {
  const { bindingId: id, ownerId } = message;
  const { targets, isBrowsable } = settingsOf(message);
  const { rows } = await tx.query<{ id: string; epoch: number }>(
    `select domain.id, epoch from domain join owner on owner.id = owner_id and closed_at is null
      where name = $1 and owner_id = $2 and state in ('verified', 'broken')`,
    [address.domain, ownerId],
  );
  const [domain] = rows;
  if (!domain || derivedId(domain.id, domain.epoch, address.key) !== id) return;
  if (!(await allocateUnused(tx, address.key, { ownerId, epoch: domain.epoch }))) return;
  await insertBindings(tx, [
    {
      id,
      ownerId,
      proxyAddress: address,
      isAutomatic: true,
      isFromPattern: true,
      settings: { description, isBrowsable },
    },
  ]);
  // A target keeps the proof that it has now: it may have lost it since RCPT. One address may stand there twice: patterns were once stored with repeated ones.
  const insert = `insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
    values ($1, $2, $3, $4, $5, true, $6, ${provedAt("$3", "$5")})
    on conflict do nothing returning ${verifiedColumns}`;
  const heldFor = new Set(message.unverifiedTargets.map(({ addressId }) => addressId));
  for (const { addressId, address: target } of targets) {
    const { emailAddress } = parseEmailAddress(target);
    if (!emailAddress) continue;
    const values = [addressId, id, ownerId, target, emailAddress.key, false];
    const { rows: inserted } = await tx.query<VerifiedAddress | Unverified>(insert, values);
    // It was verified after the email was held for it.
    const verified = inserted.filter((row): row is VerifiedAddress => row.verifiedAt !== null);
    if (heldFor.has(addressId)) await publishVerified(tx, verified);
  }
  if (targets.length > 0) return;
  const internal = generateInternalAddress(domains).emailAddress;
  await tx.query(insert, [derivedId(id, "internal"), id, ownerId, internal.spelling, internal.key, true]);
}

/** A rule may have sent this email elsewhere. Those that are yet to be verified are the binding's as well. */
function settingsOf({ newBinding, ...email }: Accepted) {
  const { targets, unverifiedTargets, isBrowsable } = newBinding ?? email;
  const skipped = newBinding ? [] : email.skippedTargets.filter(({ reason }) => reason === "unverified");
  return { targets: [...targets, ...unverifiedTargets, ...skipped], isBrowsable };
}
