import { z } from "zod";
import { GivenId } from "../platform/rpc/given-id.ts";
import { Language } from "../platform/rpc/language.ts";
import { contactProcedures } from "./contacts/contract.ts";
import { RefusalReason, Resolution } from "./routing/contract.ts";

export { AnswerAdmission, ReverseRoute } from "./contacts/contract.ts";
export { Import, ImportRow, ImportSource } from "./imports/contract.ts";
export { RefusalReason, Resolution, Route } from "./routing/contract.ts";
export { Rule, RuleActions, RuleConditions } from "./rules/contract.ts";

import { domainProcedures } from "./domains/contract.ts";
import { importProcedures } from "./imports/contract.ts";
import { integerIdProcedures } from "./integer-ids/contract.ts";
import { KeyRestrictions } from "./key-restrictions/contract.ts";
import { BindingListing, toggleAndWebsiteProcedures } from "./proxy-bindings/contract.ts";
import { GivenTarget, replacementProcedures } from "./real-addresses/contract.ts";
import { ruleProcedures } from "./rules/contract.ts";
import { targetProcedures } from "./targets/contract.ts";

/** What a request may hold at most; what is beyond is ValidationFailed. */
export const bindingLimits = {
  /** Of one binding. */
  realAddresses: 10,
  /** Of an address, in octets as well: a path has at most 256 with its angle brackets (RFC 5321 section 4.5.3.1.3). */
  addressCharacters: 254,
  descriptionCharacters: 10_000,
  /** Of the name that answers show, and of a contact's. */
  nameCharacters: 200,
} as const;

export const RealAddress = z.object({
  id: z.uuid(),
  address: z.string(),
  isEnabled: z.boolean(),
  isVerified: z.boolean(),
  /** When it was disabled for its permanent failures; null where it is enabled, or its owner disabled it. */
  suspendedAt: z.iso.datetime().nullable().default(null),
  /** False for the reserved internal domains and for what is verified. */
  isVerificationNeeded: z.boolean(),
  /** An aligned SPF result proves that it wrote an answer, without a DKIM signature. */
  spfSuffices: z.boolean().default(false),
});

export const ProxyBinding = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  proxyAddress: z.string(),
  description: z.string(),
  /** "" when unset. */
  callbackUrl: z.string(),
  isBrowsable: z.boolean(),
  /** Whether its owner answers from the proxy address. */
  answers: z.boolean().default(false),
  /** The name in From of answers; "" for none. */
  displayName: z.string().default(""),
  /** Answers may go to addresses that are no contacts yet. */
  answersStrangers: z.boolean().default(false),
  /** Encrypted answers are sent, though they cannot be searched for the real address. */
  sendsEncrypted: z.boolean().default(false),
  /** Created by the service (REST's type 1) rather than by its owner (type 0). */
  isAutomatic: z.boolean(),
  receivedEmails: z.number().int(),
  /** When it last got mail; null where it never did, or not since releases know. */
  lastReceivedAt: z.iso.datetime().nullable().default(null),
  /** Emails that were refused because no target would have received them, and the last of these refusals. */
  refusedEmails: z.number().int().default(0),
  lastRefusal: z.object({ at: z.iso.datetime(), reason: RefusalReason }).nullable().default(null),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  realAddresses: z.array(RealAddress),
});

/** What an owner sets on a binding, beside its addresses; what is left out stays as it is, and is empty or off at first. */
export const BindingSettings = z.object({
  description: z.string().optional(),
  /** null or "" for none. */
  callbackUrl: z.string().nullish(),
  isBrowsable: z.boolean().optional(),
  answers: z.boolean().optional(),
  displayName: z.string().optional(),
  answersStrangers: z.boolean().optional(),
  sendsEncrypted: z.boolean().optional(),
});

/** What a creation or a change did besides: what REST shows as `meta`. */
export const BindingOutcome = z.object({
  binding: ProxyBinding,
  /** False when the binding existed already. */
  isCreated: z.boolean(),
  isVerificationSent: z.boolean(),
  isFirstBinding: z.boolean(),
});

export const BindingPage = z.object({
  bindings: z.array(ProxyBinding),
  /** Of all that match, not of the page; null where it was not asked for and not known without. */
  totalCount: z.number().int().nullable(),
  nextCursor: z.string().nullable(),
  /** Bindings that count towards the quota, and the quota. */
  used: z.number().int(),
  available: z.number().int(),
});

const Owned = z.object({ ownerId: z.uuid(), id: GivenId });
const apiKey = KeyRestrictions.optional();
/** Of mails with links that it causes; English if absent. */
const language = Language.optional();

/** The procedures of bindings. Errors: ValidationFailed (naming the field), Forbidden (outside a key's restrictions), QuotaExceeded, AddressTaken, NotFound, Gone. */
export const bindingsContract = {
  service: "bindings",
  procedures: {
    ...domainProcedures(apiKey),
    create: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        /** Absent, null or "": one is generated. */
        proxyAddress: z.string().nullish(),
        /** Where one is generated; absent: SERVICE_DOMAIN, or the domain that it is held to. */
        domain: z.string().nullish(),
        apiKey,
        language,
        /** Absent, null or []: one on the reserved internal domain is generated, or it leads to the targets that it is held to. A plain address is enabled. */
        realAddresses: z.array(z.union([z.string(), GivenTarget])).nullish(),
        ...BindingSettings.shape,
      }),
      output: BindingOutcome,
    },
    update: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        id: GivenId,
        apiKey,
        language,
        /** The whole new set: an address left out is removed. */
        realAddresses: z.array(GivenTarget).optional(),
        /** Added to that set, or to the addresses that the binding has; one that is among them stays as it is. */
        newRealAddress: z.string().optional(),
        /** True: mail to every other address of its domain leads where it does, if that is the owner's own and has no pattern `*`. ScopeMissing for a key without admin. */
        addsCatchAll: z.boolean().optional(),
        /** It cannot be changed: given, it must be the one that the binding has. */
        proxyAddress: z.string().nullish(),
        ...BindingSettings.shape,
      }),
      output: BindingOutcome,
    },
    get: { kind: "query", input: Owned, output: ProxyBinding },
    /** Those of the bindings asked for that exist and are the owner's. */
    getMany: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), ids: z.array(GivenId).max(1_000) }),
      output: z.array(ProxyBinding),
    },
    list: {
      kind: "query",
      input: BindingListing,
      output: BindingPage,
    },
    /** How many a list holds in all, without a page of it. */
    count: { kind: "query", input: BindingListing, output: z.object({ totalCount: z.number().int() }) },
    remove: { kind: "mutation", input: Owned.extend({ apiKey }), output: z.object({}) },
    ...toggleAndWebsiteProcedures,
    ...targetProcedures,
    ...replacementProcedures,
    ...integerIdProcedures,
    resendVerification: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), bindingId: GivenId, address: z.string(), apiKey, language }),
      output: z.object({}),
    },
    /** What a verification link is for; changes nothing. */
    describeVerification: {
      kind: "query",
      input: z.object({ token: z.string() }),
      output: z.object({ realAddress: z.string(), proxyAddress: z.string() }),
    },
    /** Verifies the real address that a link was sent to; the link is good for once. */
    verify: {
      kind: "mutation",
      input: z.object({ token: z.string() }),
      output: z.object({ realAddress: z.string(), proxyAddress: z.string() }),
    },
    /** The route of each address, in the order asked; compares without case. */
    resolve: {
      kind: "query",
      input: z.object({ addresses: z.array(z.string()).max(1_000), countsRefusals: z.boolean().default(true) }),
      output: z.array(Resolution),
    },
    /** Whether any of these local parts on a domain of ours is never given out. */
    isAnyReserved: {
      kind: "query",
      input: z.object({ localParts: z.array(z.string()).max(16_384) }),
      output: z.object({ isReserved: z.boolean() }),
    },
    /** The same of one, for a release before. */
    isReserved: {
      kind: "query",
      input: z.object({ localPart: z.string() }),
      output: z.object({ isReserved: z.boolean() }),
    },
    ...contactProcedures(apiKey),
    ...ruleProcedures(apiKey),
    ...importProcedures(apiKey),
    /** The target answered 410: removes the callback URL, unless it was changed meanwhile. */
    switchOffCallback: {
      kind: "mutation",
      input: z.object({ bindingId: z.uuid(), callbackUrl: z.string() }),
      output: z.object({}),
    },
    /**
     * Disables an address after repeated permanent failures, until its owner enables it again, for example by the link that
     * this returns. `isNew` is false, and there is no link, when the account has no such address, or it was disabled before
     * this was decided; repeating the call gives the same.
     */
    disableRealAddress: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), address: z.string(), decidedAt: z.iso.datetime().optional() }),
      output: z.object({ enableLink: z.string().nullable(), isNew: z.boolean().default(true) }),
    },
  },
} as const;
