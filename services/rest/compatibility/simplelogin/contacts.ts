import { z } from "zod";
import { timeOfId } from "../../../platform/ids.ts";
import { type Caller, respond } from "../../http/endpoint.ts";
import { wellFormedText } from "../../http/schemas.ts";
import { allPages } from "../../http/send.ts";
import type { Services } from "../../services.ts";
import { simpleLogin } from "../endpoint.ts";
import { bindingOf, IntegerId } from "./alias.ts";
import { paged, pageOf, pageSize } from "./paging.ts";

const Contact = z
  .object({
    id: IntegerId,
    contact: z.string(),
    creation_date: z.string(),
    creation_timestamp: z.int(),
    last_email_sent_date: z.null(),
    last_email_sent_timestamp: z.null(),
    reverse_alias: z.string(),
    reverse_alias_address: z.string(),
    block_forward: z.boolean(),
    existed: z.boolean(),
  })
  .meta({ id: "SimpleLoginContact" });

type Found = Awaited<ReturnType<Services["bindings"]["createContact"]>>;

/** Contacts as SimpleLogin shows them. An id is a UUID of version 7, which begins with its time (RFC 9562 section 5.7). */
async function contactsOf({ bindings }: Services, { accountId: ownerId }: Caller, contacts: readonly Found[]) {
  const numbers = await bindings.contactIntegerIds({ ownerId, ids: contacts.map(({ id }) => id) });
  const numberOf = new Map(numbers.map(({ id, number }) => [id, number]));
  return contacts.flatMap(({ id, address, name, reverseAddress, isBlocked, existed = false }) => {
    const number = numberOf.get(id);
    if (number === undefined) return [];
    const made = timeOfId(id);
    const iso = made.toISOString();
    return [
      {
        id: number,
        contact: address,
        creation_date: `${iso.slice(0, 10)} ${iso.slice(11, 19)}+00:00`,
        creation_timestamp: Math.floor(made.getTime() / 1000),
        last_email_sent_date: null,
        last_email_sent_timestamp: null,
        reverse_alias: name === "" ? reverseAddress : `${JSON.stringify(name)} <${reverseAddress}>`,
        reverse_alias_address: reverseAddress,
        block_forward: isBlocked,
        existed,
      },
    ];
  });
}

const listAliasContacts = simpleLogin({
  name: "listAliasContacts",
  summary: "List the contacts of a proxy address, the last seen first",
  method: "GET",
  path: "/api/aliases/{number}/contacts",
  scope: "alias:read",
  query: paged,
  responses: { 200: z.object({ contacts: z.array(Contact) }).meta({ id: "SimpleLoginContacts" }) },
  refusals: [404],
  async handle({ services, caller, path: { number = "" }, query }) {
    const start = pageOf(query) * pageSize;
    const { id: bindingId } = await bindingOf(services, caller, number);
    const found: Found[] = [];
    const pages = allPages((page) => services.bindings.contacts({ ownerId: caller.accountId, bindingId, ...page }));
    for await (const { contacts } of pages) {
      found.push(...contacts);
      if (found.length >= start + pageSize) break;
    }
    return respond(200, { contacts: await contactsOf(services, caller, found.slice(start, start + pageSize)) });
  },
});

const makeAliasContact = simpleLogin({
  name: "makeAliasContact",
  summary: "Make a contact of a proxy address, or show the one that there is",
  method: "POST",
  path: "/api/aliases/{number}/contacts",
  scope: "alias:write",
  body: z.object({ contact: wellFormedText("an email address") }),
  memberOf: { address: "contact", name: "contact" },
  responses: { 200: Contact, 201: Contact },
  refusals: [404, 429],
  async handle({ services, caller, path: { number = "" }, body }) {
    const { id: bindingId } = await bindingOf(services, caller, number);
    const { name, address } = namedAddress(body.contact);
    const made = await services.bindings.createContact({
      ownerId: caller.accountId,
      bindingId,
      address,
      ...(name === "" ? {} : { name }),
      apiKey: caller.key,
    });
    const [contact] = await contactsOf(services, caller, [made]);
    return respond(made.existed ? 200 : 201, contact);
  },
});

/** A name may stand before the address: `Ann Lee <ann@shop.example>`. */
function namedAddress(contact: string): { name: string; address: string } {
  const text = contact.trim();
  const begin = text.endsWith(">") ? text.lastIndexOf("<") : -1;
  if (begin < 0) return { name: "", address: text };
  const name = text.slice(0, begin).trim();
  return { name: name.replace(/^"|"$/g, "").trim(), address: text.slice(begin + 1, -1).trim() };
}

const deleteAliasContact = simpleLogin({
  name: "deleteAliasContact",
  summary: "Remove a contact; its reverse address leads nowhere from then on",
  method: "DELETE",
  path: "/api/contacts/{number}",
  scope: "alias:write",
  responses: { 200: z.object({ deleted: z.literal(true) }) },
  refusals: [404],
  async handle({ services, caller, path: { number = "" } }) {
    const { id } = await services.bindings.contactOfIntegerId({
      ownerId: caller.accountId,
      number: numberFrom(number),
    });
    await services.bindings.deleteContact({ ownerId: caller.accountId, id, apiKey: caller.key });
    return respond(200, { deleted: true });
  },
});

const toggleAliasContact = simpleLogin({
  name: "toggleAliasContact",
  summary: "Block a contact, or no longer",
  method: "POST",
  path: "/api/contacts/{number}/toggle",
  scope: "alias:write",
  responses: { 200: z.object({ block_forward: z.boolean() }) },
  refusals: [404],
  async handle({ services, caller, path: { number = "" } }) {
    const { accountId: ownerId } = caller;
    const { id, isBlocked } = await services.bindings.contactOfIntegerId({ ownerId, number: numberFrom(number) });
    const changed = await services.bindings.updateContact({ ownerId, id, isBlocked: !isBlocked, apiKey: caller.key });
    return respond(200, { block_forward: changed.isBlocked });
  },
});

/** Nobody's has the number 0. */
function numberFrom(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

export const contactEndpoints = [listAliasContacts, makeAliasContact, deleteAliasContact, toggleAliasContact] as const;
