import { z } from "zod";
import { endpoint, respond } from "../../http/endpoint.ts";
import {
  absentIfNull,
  ErrorDocument,
  Id,
  objectOf,
  requestOf,
  UserRelationship,
  wellFormedText,
} from "../../http/schemas.ts";
import { allPages, arrayDocument } from "../../http/send.ts";
import type { Services } from "../../services.ts";

const BindingRelationship = objectOf({
  proxy_binding: objectOf({ data: objectOf({ type: z.literal("proxy_bindings"), id: wellFormedText("a string") }) }),
});

const NewContact = objectOf({
  data: objectOf({
    ...requestOf("proxy_binding_contacts", {
      recipient_email: wellFormedText("an email address"),
      description: absentIfNull(wellFormedText("a string")),
    }).shape.data.shape,
    relationships: BindingRelationship,
  }),
}).meta({
  id: "NewContact",
  example: {
    data: {
      type: "proxy_binding_contacts",
      attributes: { recipient_email: "ann@shop.example", description: "Ann of the shop" },
      relationships: {
        proxy_binding: { data: { type: "proxy_bindings", id: "018d2475-0f3c-7c11-8a52-6b1d3f5e9a00" } },
      },
    },
  },
});

const ContactResource = z
  .object({
    type: z.literal("proxy_binding_contacts"),
    id: Id,
    attributes: z.object({
      status: z.literal(1),
      recipient_email: z.string(),
      reverse_proxy_address: z.string(),
      description: z.string(),
    }),
    relationships: BindingRelationship.extend(UserRelationship.shape),
  })
  .meta({ id: "Contact" });

type Contact = Awaited<ReturnType<Services["bindings"]["createContact"]>>;

function resource(contact: Contact): z.output<typeof ContactResource> {
  return {
    type: "proxy_binding_contacts",
    id: contact.id,
    attributes: {
      status: 1,
      recipient_email: contact.address,
      reverse_proxy_address: contact.reverseAddress,
      description: contact.name,
    },
    relationships: {
      proxy_binding: { data: { type: "proxy_bindings", id: contact.bindingId } },
      user: { data: { type: "users", id: contact.ownerId } },
    },
  };
}

const refusals = { 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument };

const createContact = endpoint({
  name: "createContact",
  tag: "Other programs",
  summary:
    "Make a contact of a proxy binding: what is written to its reverse address goes to it from the proxy address",
  method: "POST",
  path: "/api/v1/contacts",
  credentials: "token or bearer",
  scope: "alias:write",
  body: NewContact,
  memberOf: { address: "recipient_email", name: "description" },
  responses: {
    201: z.object({ data: ContactResource }),
    400: ErrorDocument,
    413: ErrorDocument,
    415: ErrorDocument,
    422: ErrorDocument,
    429: ErrorDocument,
    ...refusals,
  },
  async handle({ services, caller, body }) {
    const { attributes, relationships } = body.data;
    const contact = await services.bindings.createContact({
      ownerId: caller.accountId,
      bindingId: relationships.proxy_binding.data.id,
      address: attributes.recipient_email,
      name: attributes.description,
      apiKey: caller.key,
    });
    return respond(201, { data: resource(contact) });
  },
});

const listContacts = endpoint({
  name: "listContacts",
  tag: "Other programs",
  summary: "List the contacts of a proxy binding, the last seen first",
  method: "GET",
  path: "/api/v1/proxy-bindings/{id}/contacts",
  credentials: "token or bearer",
  scope: "alias:read",
  responses: { 200: z.object({ data: z.array(ContactResource) }), ...refusals },
  async handle({ services, caller, path: { id: bindingId = "" } }) {
    const question = { ownerId: caller.accountId, bindingId };
    const pages = allPages((page) => services.bindings.contacts({ ...question, ...page }));
    const parts = {
      head: () => ({}),
      items: ({ contacts }: Awaited<ReturnType<typeof services.bindings.contacts>>) => contacts.map(resource),
    };
    return { status: 200, json: arrayDocument("data", pages, parts) };
  },
});

export const contactEndpoints = [createContact, listContacts] as const;
