import { isTransientFailure } from "../../platform/concurrency/retry.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { parseEmailAddress, withLowerCaseDomain } from "../addresses/email-address.ts";
import { insertContacts } from "../contacts/insert-contacts.ts";
import { isOwnAddress } from "../contacts/manage-contacts.ts";
import { type ContactRow, contactColumns, toContact } from "../contacts/rows.ts";
import type { OwnDomains } from "../domains/own-domains.ts";
import { checkBindingRestrictions } from "../key-restrictions/check-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { setPatterns } from "../patterns/domain-patterns.ts";
import type { BindingDependencies } from "../proxy-bindings/create.ts";
import { putRule } from "../rules/manage-rules.ts";
import { checkAddress, checkName } from "../validation.ts";
import { importLimits } from "./contract.ts";
import type { Entry } from "./entries.ts";
import { makeAddress } from "./make-address.ts";
import { type ApiKey, type Ending, EntryEnded, endEntry, type WaitingEntry } from "./rows.ts";

/** Whose import it is, and how it was started. */
export interface Maker {
  readonly ownerId: string;
  readonly apiKey: ApiKey | undefined;
  readonly makesNewAddresses: boolean;
  /** How many contacts more it may have, as it was counted last: once for many entries. */
  readonly contactRoom: { left: number };
}

export interface MakingParts {
  readonly dependencies: BindingDependencies;
  readonly ownDomains: OwnDomains;
  readonly logger: Logger;
}

type Waiting<Kind extends Entry["kind"]> = WaitingEntry & { readonly entry: Extract<Entry, { kind: Kind }> };

/**
 * Makes one entry, and records what became of it in the transaction that made it: a second attempt finds it done. Nothing is mailed to
 * anybody. What would be refused to a request is refused here, as is what fails here, and the others go on. @throws Outage
 */
export async function makeEntry(parts: MakingParts, maker: Maker, waiting: WaitingEntry): Promise<void> {
  try {
    await makeOrRefuse(parts, maker, waiting);
  } catch (error) {
    if (!(error instanceof EntryEnded)) throw error;
  }
}

async function makeOrRefuse(parts: MakingParts, maker: Maker, waiting: WaitingEntry): Promise<void> {
  const { dependencies, logger } = parts;
  try {
    const ending = await make(parts, maker, waiting);
    if (ending) await endEntry(dependencies.db, waiting, ending);
  } catch (error) {
    if (error instanceof EntryEnded || isTransientFailure(error)) throw error;
    const { importId, position } = waiting;
    if (!(error instanceof Refusal)) logger.error({ err: error, importId, position }, "an entry could not be made");
    const why = error instanceof Refusal ? `${error.kind}: ${error.publicMessage}` : "Internal: it could not be made.";
    await endEntry(dependencies.db, waiting, { state: "refused", detail: why.slice(0, 1_000) });
  }
}

/** What is not recorded yet. */
function make(parts: MakingParts, maker: Maker, waiting: WaitingEntry): Promise<Ending | undefined> {
  const { entry } = waiting;
  if (entry.kind === "domain") return addDomain(parts, maker, entry.name);
  if (entry.kind === "address") return makeAddress(parts.dependencies, maker, { ...waiting, entry });
  if (entry.kind === "patterns") return makePatterns(parts, maker, { ...waiting, entry });
  if (entry.kind === "rule") return makeRule(parts, maker, { ...waiting, entry });
  return makeContact(parts, maker, { ...waiting, entry });
}

async function addDomain({ ownDomains }: MakingParts, { ownerId, apiKey }: Maker, name: string): Promise<Ending> {
  const { domain } = await ownDomains.add({ ownerId, name, apiKey });
  return { state: "done", newValue: domain.name };
}

async function makePatterns(
  { dependencies }: MakingParts,
  { ownerId, apiKey }: Maker,
  { entry }: Waiting<"patterns">,
): Promise<Ending> {
  const { id, name } = await ownDomain(dependencies.db, ownerId, entry.domain);
  await setPatterns(dependencies, { ownerId, id, patterns: entry.patterns, apiKey });
  return { state: "done", newValue: name };
}

/** It keeps its id, so that a second attempt makes no second rule. */
async function makeRule(
  { dependencies }: MakingParts,
  { ownerId, apiKey }: Maker,
  { importId, entry }: Waiting<"rule">,
): Promise<Ending> {
  const { kind: _, of, domain, ...content } = entry;
  const bindingId = of === null ? null : await bindingOf(dependencies.db, importId, of);
  const domainId = domain === null ? null : (await ownDomain(dependencies.db, ownerId, domain)).id;
  await putRule(dependencies, { ownerId, bindingId, domainId, ...content, apiKey });
  return { state: "done" };
}

/** @throws Refusal ValidationFailed */
async function ownDomain(db: Queryable, ownerId: string, asked: string): Promise<{ id: string; name: string }> {
  const { rows } = await db.query<{ id: string; name: string }>(
    "select id, name from domain where owner_id = $1 and name = $2",
    [ownerId, asked.toLowerCase()],
  );
  if (!rows[0]) throw invalidField("domain", "is no domain of yours.");
  return rows[0];
}

/** It is new to the limits on answers: whatever it had received elsewhere, it has written to nobody here. */
async function makeContact(
  { dependencies: { db } }: MakingParts,
  { ownerId, apiKey, contactRoom }: Maker,
  waiting: Waiting<"contact">,
): Promise<undefined> {
  const { of, address, name, isBlocked } = waiting.entry;
  const emailAddress = withLowerCaseDomain(checkAddress("address", address));
  const checkedName = checkName("name", name);
  await db.tx(async (tx) => {
    await lockOwner(tx, ownerId);
    const bindingId = await bindingOf(tx, waiting.importId, of);
    await checkBindingRestrictions(tx, { ownerId, bindingId, apiKey });
    if (await isOwnAddress(tx, bindingId, emailAddress.key))
      throw invalidField("address", "the address is one of your own: a contact is somebody else.");
    if (!(await isContact(tx, bindingId, emailAddress.key))) await takeRoom(tx, ownerId, contactRoom);
    await insertContacts(tx, [{ bindingId, emailAddress, name: checkedName }], "owner");
    const { rows } = await tx.query<ContactRow>(
      `update contact set blocked_at = case when $3 then coalesce(blocked_at, now()) else blocked_at end
         from binding where binding.id = binding_id and binding_id = $1 and address_key = $2 returning ${contactColumns}`,
      [bindingId, emailAddress.key, isBlocked],
    );
    const newValue = rows[0] ? toContact(rows[0]).reverseAddress : null;
    await endEntry(tx, waiting, { state: "done", newValue });
  });
}

async function isContact(tx: Queryable, bindingId: string, key: string): Promise<boolean> {
  const { rowCount } = await tx.query("select from contact where binding_id = $1 and address_key = $2", [
    bindingId,
    key,
  ]);
  return rowCount > 0;
}

/** Imports bring an account to no more contacts than one export holds. @throws Refusal QuotaExceeded */
async function takeRoom(tx: Queryable, ownerId: string, room: { left: number }): Promise<void> {
  if (room.left === 0) {
    const { rows } = await tx.query<{ left: number }>(
      "select $2 - count(*) as left from (select from contact where owner_id = $1 limit $2) as kept",
      [ownerId, importLimits.entries],
    );
    room.left = rows[0]?.left ?? 0;
  }
  if (room.left === 0)
    throw new Refusal("QuotaExceeded", {
      public: `No more than ${importLimits.entries} contacts of an account can come from imports.`,
    });
  room.left -= 1;
}

/** The binding that the import made, or found, for a proxy address. @throws Refusal ValidationFailed */
async function bindingOf(tx: Queryable, importId: string, proxyAddress: string): Promise<string> {
  const { emailAddress } = parseEmailAddress(proxyAddress);
  const { rows } = await tx.query<{ bindingId: string }>(
    `select binding_id from import_entry where import_id = $1 and address_key = $2 and binding_id is not null limit 1`,
    [importId, emailAddress?.key ?? null],
  );
  if (!rows[0]) throw invalidField("of", "its proxy address was not made.");
  return rows[0].bindingId;
}
