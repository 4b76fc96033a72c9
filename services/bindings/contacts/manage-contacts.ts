import type { z } from "zod";
import type { Database, Queryable } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import { withLowerCaseDomain } from "../addresses/email-address.ts";
import type { bindingsContract } from "../contract.ts";
import { checkBindingRestrictions, checkContactRestrictions } from "../key-restrictions/check-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { noSuchBinding } from "../proxy-bindings/rows.ts";
import { checkAddress, checkName, checkText, invalidCursor, readAfterCursor } from "../validation.ts";
import { insertContacts } from "./insert-contacts.ts";
import { type Contact, type ContactRow, contactColumns, noSuchContact, toContact } from "./rows.ts";

type Input<Name extends keyof typeof bindingsContract.procedures> = z.output<
  (typeof bindingsContract.procedures)[Name]["input"]
>;

const maxSearchCharacters = 1_000;

/** A binding's contacts, the last seen first. @throws Refusal NotFound, or ValidationFailed for a cursor that is none of ours */
export async function listContacts(db: Database, { ownerId, bindingId, first, after, search }: Input<"contacts">) {
  await requireBinding(db, ownerId, bindingId);
  const wanted = checkText("search", search ?? "", maxSearchCharacters);
  const position = after === undefined ? null : readCursor(after);
  const matches =
    "contact.binding_id = $1 and ($2 = '' or strpos(lower(contact.address), lower($2)) > 0 or strpos(lower(name), lower($2)) > 0)";
  const { rows } = await readAfterCursor(() =>
    db.query<{ [Column in keyof ContactRow]: ContactRow[Column] | null } & { total: number }>(
      // A page behind the last contact is a row as well, which says how many there are.
      `with page as (
         select ${contactColumns} from contact join binding on binding.id = binding_id
          where ${matches} and ($3::timestamptz is null or (date_trunc('milliseconds', last_seen_at), contact.id) < ($3, $4::uuid))
          order by date_trunc('milliseconds', last_seen_at) desc, contact.id desc limit $5)
       select page.*, total from (select count(*) as total from contact where ${matches}) as counted left join page on true
        order by date_trunc('milliseconds', last_seen_at) desc, page.id desc`,
      [bindingId, wanted, position?.at ?? null, position?.id ?? null, first === undefined ? null : first + 1],
    ),
  );
  const found = rows.filter((row): row is ContactRow & { total: number } => row.id !== null);
  const contacts = found.slice(0, first).map(({ total, ...row }) => toContact(row));
  const last = contacts.at(-1);
  const hasMore = last !== undefined && found.length > contacts.length;
  return {
    contacts,
    totalCount: rows[0]?.total ?? 0,
    nextCursor: hasMore ? Buffer.from(`${last.lastSeenAt} ${last.id}`).toString("base64url") : null,
  };
}

function readCursor(cursor: string): { at: Date; id: string } {
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (!isId(id) || Number.isNaN(Date.parse(at))) throw invalidCursor();
  return { at: new Date(at), id };
}

type MadeContact = Contact & { existed: boolean };

/**
 * Makes a contact by hand, or gives the one that exists.
 * @throws Refusal NotFound, ValidationFailed for an address of the owner's own, RateLimited, Forbidden where it is outside a key's restrictions
 */
export function createContact(db: Database, perHour: Limit, creation: Input<"createContact">): Promise<MadeContact> {
  return db.tx(async (tx) => {
    await lockOwner(tx, creation.ownerId, noSuchBinding);
    return create(tx, perHour, creation);
  });
}

async function create(
  db: Queryable,
  perHour: Limit,
  { ownerId, bindingId, address, name, apiKey }: Input<"createContact">,
): Promise<MadeContact> {
  const emailAddress = withLowerCaseDomain(checkAddress("address", address));
  const checkedName = checkName("name", name ?? "");
  await requireBinding(db, ownerId, bindingId);
  await checkBindingRestrictions(db, { ownerId, bindingId, apiKey });
  if (await isOwnAddress(db, bindingId, emailAddress.key))
    throw invalidField("address", "the address is one of your own: a contact is somebody else.");
  const known = await contactAt(db, bindingId, emailAddress.key);
  if (known) {
    const contact = await change(db, { ownerId, id: known.id, name: checkedName || undefined });
    return { ...contact, existed: true };
  }
  const { isAllowed, retryAfterS } = await perHour.consume(ownerId);
  if (!isAllowed)
    throw new Refusal("RateLimited", { public: "Too many new contacts, please try again later.", retryAfterS });
  await insertContacts(db, [{ bindingId, emailAddress, name: checkedName }], "owner");
  const contact = await contactAt(db, bindingId, emailAddress.key);
  if (!contact) throw noSuchBinding();
  return { ...contact, existed: false };
}

/** @throws Refusal NotFound, ValidationFailed, Forbidden where it is outside a key's restrictions */
export function updateContact(db: Database, { apiKey, ...wanted }: Input<"updateContact">): Promise<Contact> {
  const { ownerId, id } = wanted;
  return db.tx(async (tx) => {
    await lockOwner(tx, ownerId, noSuchContact);
    if (isId(id)) await checkContactRestrictions(tx, { ownerId, contactId: id, apiKey });
    return change(tx, wanted);
  });
}

/** A contact that its owner has changed, or made though a message had, makes no room for others. */
async function change(
  db: Queryable,
  { ownerId, id, name, isBlocked }: Omit<Input<"updateContact">, "apiKey">,
): Promise<Contact> {
  const checkedName = name === undefined ? null : checkName("name", name);
  if (!isId(id)) throw noSuchContact();
  const { rows } = await db.query<ContactRow>(
    `update contact set name = coalesce($3, name), kept_by_owner = true,
            blocked_at = case when $4::boolean is null then blocked_at when $4 then coalesce(blocked_at, now()) end
       from binding where binding.id = binding_id and contact.id = $1 and contact.owner_id = $2
     returning ${contactColumns}`,
    [id, ownerId, checkedName, isBlocked ?? null],
  );
  if (!rows[0]) throw noSuchContact();
  return toContact(rows[0]);
}

/** @throws Refusal NotFound, Forbidden where it is outside a key's restrictions */
export async function deleteContact(db: Database, { ownerId, id, apiKey }: Input<"deleteContact">): Promise<void> {
  if (!isId(id)) throw noSuchContact();
  await db.tx(async (tx) => {
    await lockOwner(tx, ownerId, noSuchContact);
    await checkContactRestrictions(tx, { ownerId, contactId: id, apiKey });
    const { rowCount } = await tx.query("delete from contact where id = $1 and owner_id = $2", [id, ownerId]);
    if (rowCount === 0) throw noSuchContact();
  });
}

async function contactAt(queryable: Queryable, bindingId: string, key: string): Promise<Contact | undefined> {
  const { rows } = await queryable.query<ContactRow>(
    `select ${contactColumns} from contact join binding on binding.id = binding_id where binding_id = $1 and address_key = $2`,
    [bindingId, key],
  );
  return rows[0] && toContact(rows[0]);
}

/** Whether an address is the binding's own, or a real address of its owner. */
export async function isOwnAddress(queryable: Queryable, bindingId: string, key: string): Promise<boolean> {
  const { rowCount } = await queryable.query(
    `select from binding where id = $1 and (proxy_address_key = $2 or exists (
       select from real_address where real_address.owner_id = binding.owner_id and address_key = $2))`,
    [bindingId, key],
  );
  return rowCount > 0;
}

async function requireBinding(queryable: Queryable, ownerId: string, bindingId: string): Promise<void> {
  const { rowCount } = isId(bindingId)
    ? await queryable.query("select from binding where id = $1 and owner_id = $2", [bindingId, ownerId])
    : { rowCount: 0 };
  if (rowCount === 0) throw noSuchBinding();
}
