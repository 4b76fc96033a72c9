import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";

/** Whom a reverse address leads to. */
export const ReverseRoute = z.object({
  contactId: z.uuid(),
  bindingId: z.uuid(),
  ownerId: z.uuid(),
  proxyAddress: z.string(),
  isBrowsable: z.boolean(),
  isStorageFull: z.boolean(),
  isAccountDisabled: z.boolean(),
  /** False on an own domain whose DKIM records are not found: what is sent from it would be unsigned. */
  isSignable: z.boolean().default(true),
});

/** Somebody outside, as one binding knows them. */
export const Contact = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  bindingId: z.uuid(),
  address: z.string(),
  name: z.string(),
  reverseAddress: z.string(),
  isBlocked: z.boolean(),
  received: z.number().int(),
  sent: z.number().int(),
  lastSeenAt: z.iso.datetime(),
});

/** An address of a message, and what stands for it on the owner's side. */
export const ReverseMapping = z.object({
  address: z.string(),
  /** The contact's reverse address; null where the message has too many new addresses, or where it is the proxy address. */
  reverseAddress: z.string().nullable(),
  /** The proxy address itself. */
  isOwn: z.boolean(),
});

const AnswerRecipient = z.object({ contactId: z.uuid(), address: z.string(), reverseAddress: z.string() });

/** What bindings says of mail to a reverse address. */
export const AnswerAdmission = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("refused"),
    reason: z.enum([
      ...["unknown", "not-owner", "unproved", "answers-off", "blocked", "stranger"],
      ...["sending-off", "not-written", "over-limit", "paused"],
    ] as const),
  }),
  z.object({
    outcome: z.literal("admitted"),
    bindingId: z.uuid(),
    ownerId: z.uuid(),
    proxyAddress: z.string(),
    displayName: z.string(),
    isBrowsable: z.boolean(),
    sendsEncrypted: z.boolean(),
    /** Every one of the owner's. */
    realAddresses: z.array(z.string()),
    recipient: AnswerRecipient,
    /** Contacts among the addresses of To and Cc. */
    named: z.array(AnswerRecipient),
  }),
]);

/** Why a contact cannot be written to any more. */
export const ContactFault = z.enum(["removed", "blocked", "answers-off"]);

/** What an account's mail from a proxy address is sent with. */
export const SendingAdmission = z.object({
  bindingId: GivenId,
  proxyAddress: z.string(),
  displayName: z.string(),
  isBrowsable: z.boolean(),
  sendsEncrypted: z.boolean(),
  realAddresses: z.array(z.string()),
  /** Where what comes back goes. */
  author: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  /** Of To, Cc and Bcc. */
  recipients: z.array(AnswerRecipient),
});

const Owned = z.object({ ownerId: z.uuid(), id: GivenId });

/** Contacts of bindings that answer. Errors: NotFound, ValidationFailed, RateLimited. @param apiKey what an API key holds changes to */
export const contactProcedures = <ApiKey extends z.ZodType>(apiKey: ApiKey) =>
  ({
    contacts: {
      kind: "query",
      input: z.object({
        ownerId: z.uuid(),
        bindingId: GivenId,
        first: z.number().int().positive().max(1_000).optional(),
        after: z.string().optional(),
        search: z.string().optional(),
      }),
      output: z.object({
        contacts: z.array(Contact),
        totalCount: z.number().int(),
        nextCursor: z.string().nullable(),
      }),
    },
    /** Gives the one that exists, unchanged but for its name, where the binding knows the address. Errors: RateLimited. */
    createContact: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        bindingId: GivenId,
        address: z.string(),
        name: z.string().optional(),
        apiKey,
      }),
      // Processes of 0.1.0 do not say whether there was one.
      output: Contact.extend({ existed: z.boolean().optional() }),
    },
    /** What is left out stays as it is. */
    updateContact: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        id: GivenId,
        name: z.string().optional(),
        isBlocked: z.boolean().optional(),
        apiKey,
      }),
      output: Contact,
    },
    /** Its reverse address leads nowhere from then on. */
    deleteContact: { kind: "mutation", input: Owned.extend({ apiKey }), output: z.object({}) },
    /** The reverse addresses of those that a message names; contacts that are missing are made, up to a limit. For forwarder. */
    reverseAddresses: {
      kind: "mutation",
      input: z.object({
        bindingId: z.uuid(),
        /** When the message came: who was known then is none of its new contacts. */
        receivedAt: z.iso.datetime(),
        mailboxes: z
          .array(
            z.object({
              address: z.string(),
              name: z.string(),
              /** The message names it as where replies go. */
              invitesReplies: z.boolean().optional(),
            }),
          )
          .max(1_000),
      }),
      output: z.array(ReverseMapping),
    },
    /** The addresses of those contacts of a binding that exist. */
    contactAddresses: {
      kind: "query",
      input: z.object({ bindingId: z.uuid(), tokens: z.array(z.string()).max(1_000) }),
      output: z.array(z.object({ token: z.string(), address: z.string() })),
    },
    /** Those of the contacts that cannot be written to, with the first fault of each; the others are left out. For forwarder. */
    contactFaults: {
      kind: "query",
      input: z.object({ contactIds: z.array(z.uuid()).max(1_000) }),
      output: z.array(z.object({ contactId: z.uuid(), fault: ContactFault })),
    },
    /** Every real address of the account that a binding belongs to. For forwarder. */
    realAddresses: {
      kind: "query",
      input: z.object({ bindingId: z.uuid() }),
      output: z.object({ addresses: z.array(z.string()) }),
    },
    /** Whether mail to a contact's reverse address may leave; counts it towards the limits if it may. For ingress. */
    admitAnswer: {
      kind: "mutation",
      input: z.object({
        contactId: z.uuid(),
        /** The one address in From. */
        author: z.string(),
        /** Of To and Cc. */
        addressed: z.array(z.string()).max(500),
        /** By DKIM, and it cannot be a replay to another contact. */
        isProved: z.boolean(),
        isSpfAligned: z.boolean(),
        /** A responder wrote it. */
        isAutomatic: z.boolean(),
        /** It was taken or admitted before, and is sent once in all: it counts towards no limit. */
        isRepeated: z.boolean().optional(),
        /** Of the answer, the same each time that it comes: it counts once though what was answered here was lost. */
        digest: z.string().max(100).optional(),
      }),
      output: AnswerAdmission,
    },
    /** Lets an account write from a proxy address of its own. Errors: ValidationFailed, SendingNotAllowed, RateLimited. For ingress. */
    admitSending: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        from: z.string(),
        to: z.array(z.string()).max(100),
        cc: z.array(z.string()).max(100),
        bcc: z.array(z.string()).max(100),
      }),
      output: SendingAdmission,
    },
    /** Those of the bindings that have blocked one of the addresses. */
    blockedBy: {
      kind: "query",
      input: z.object({ bindingIds: z.array(z.uuid()).max(1_000), addresses: z.array(z.string()).max(100) }),
      output: z.array(z.string()),
    },
  }) as const;
