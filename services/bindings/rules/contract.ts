import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";
import { Moment } from "../../platform/rpc/moment.ts";

/** What a rule may hold at most; what is beyond is ValidationFailed. */
export const ruleLimits = {
  /** That a message to one address may have to be compared with: of its binding, its domain and the account together. */
  perRoute: 64,
  /** Of one account, in all. */
  perAccount: 1_000,
  /** Of one condition. */
  values: 50,
  valueCharacters: 254,
  forwardTo: 10,
  tagCharacters: 40,
  /** Of conditions and actions as JSON, of all rules with the same scope together: routes carry them. */
  charactersPerScope: 16_000,
  perHour: 100_000,
} as const;

/** Of DMARC, or of a DKIM signature of the author's domain. unknown: DNS could not tell, or author or record cannot be read. */
const RuleVerdict = z.enum(["pass", "fail", "none", "unknown"]);

/** Checked against `ruleLimits` by name, so that a caller is told which member has too much. */
const Texts = z.array(z.string()).optional();

/** Each member that is there has to hold, by any of its values; none at all: every message. */
export const RuleConditions = z.object({
  /** Envelope senders: addresses, domains with what is under them, or "<>" for the null sender. */
  senders: Texts,
  /** Networks of the client, as CIDR or a single address. */
  clientNetworks: Texts,
  /** What stands after the plus in the recipient; "" for nothing. */
  tags: Texts,
  /** Authors: addresses, or domains with what is under them. */
  from: Texts,
  dmarc: z.array(RuleVerdict).optional(),
  dkim: z.array(RuleVerdict).optional(),
  /** Without regard to letter case. */
  subjectContains: Texts,
  /** Lists, with what is under them. */
  listIds: Texts,
  /** Octets of the message. */
  largerThan: z.number().int().optional(),
  smallerThan: z.number().int().optional(),
});

/**
 * What becomes of a message. One of refuse, discard, forwardTo, callbackOnly and keepOnly at most; none, and no other: the message goes its
 * way, and no further rule is looked at.
 */
export const RuleActions = z.object({
  /** 550 5.7.1. */
  refuse: z.boolean().optional(),
  /** 250, and nobody gets it. */
  discard: z.boolean().optional(),
  /** Put before the subject of what is forwarded. */
  tagSubject: z.string().optional(),
  /** Verified real addresses of the account, instead of those of the binding. */
  forwardTo: z.array(z.string()).optional(),
  callbackOnly: z.boolean().optional(),
  keepOnly: z.boolean().optional(),
  /** Messages beyond these within an hour: 452 4.2.1. */
  limitPerHour: z.number().int().optional(),
});

export const Rule = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  /** Both null: for all mail of the account. */
  bindingId: z.uuid().nullable(),
  domainId: z.uuid().nullable(),
  /** Among the rules with the same scope, from 0. */
  position: z.number().int(),
  /** "" where its owner gave none. */
  name: z.string(),
  conditions: RuleConditions,
  actions: RuleActions,
  expiresAt: z.iso.datetime().nullable(),
  /** Messages that it decided about, and the last of them. */
  hits: z.number().int(),
  lastHitAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

/** A rule as a route has it. */
export const RouteRule = z.object({
  id: z.uuid(),
  /** As its owner named it, or what it looks for. */
  title: z.string(),
  conditions: RuleConditions,
  actions: RuleActions.omit({ forwardTo: true }).extend({
    /** Those that take mail now; empty where there are none, or none take it: then mail goes where it would without the rule. */
    forwardTo: z.array(z.object({ addressId: z.uuid(), address: z.string() })),
  }),
});

const Owned = z.object({ ownerId: z.uuid(), id: GivenId });

const Scope = {
  bindingId: GivenId.nullish(),
  domainId: GivenId.nullish(),
};

const Content = {
  name: z.string().optional(),
  conditions: RuleConditions.default({}),
  actions: RuleActions.default({}),
  expiresAt: Moment.nullish(),
};

/** Rules of accounts. Errors: NotFound, ValidationFailed naming the member, Forbidden (out of a key's restrictions), QuotaExceeded. @param apiKey what an API key holds changes to */
export const ruleProcedures = <ApiKey extends z.ZodType>(apiKey: ApiKey) =>
  ({
    /** Of a binding, of a domain, or, with neither, all of the account's: by scope, each in its order. */
    listRules: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), ...Scope }),
      output: z.array(Rule),
    },
    /** Those of the rules asked for that exist and are the owner's. */
    getRules: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), ids: z.array(GivenId).max(1_000) }),
      output: z.array(Rule),
    },
    /** Those of these bindings and domains, as far as they are the owner's: by scope, each in its order. */
    rulesOfScopes: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), ids: z.array(z.uuid()).max(1_000) }),
      output: z.array(Rule),
    },
    /** Makes the rule exactly what is given, or a new one where there is none with this id; again: the same. */
    putRule: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        /** Any UUID; absent: one is made. */
        id: z.string().optional(),
        ...Scope,
        /** Absent: a new rule is the last of its scope, one that is there stays where it is. */
        position: z.number().int().optional(),
        ...Content,
        apiKey,
      }),
      output: z.object({ rule: Rule, isCreated: z.boolean() }),
    },
    /** What is left out stays as it is. */
    updateRule: {
      kind: "mutation",
      input: Owned.extend({
        name: z.string().optional(),
        conditions: RuleConditions.optional(),
        actions: RuleActions.optional(),
        expiresAt: Moment.nullish(),
        apiKey,
      }),
      output: Rule,
    },
    /** To a place among the rules with the same scope; the last where there are fewer. */
    moveRule: {
      kind: "mutation",
      input: Owned.extend({ position: z.number().int(), apiKey }),
      output: Rule,
    },
    removeRule: { kind: "mutation", input: Owned.extend({ apiKey }), output: z.object({}) },
    /** Makes a rule that refuses an author's mail, or an envelope sender's where no author is known; the one that is there where there is one. */
    blockSender: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        /** Of the email; the rule is for it alone, unless it is for the account. */
        bindingId: z.uuid(),
        isForAccount: z.boolean(),
        from: z.string().nullable(),
        sender: z.string(),
        apiKey,
      }),
      output: Rule,
    },
    /** Conditions and scope as a rule would have them. */
    checkRule: {
      kind: "query",
      input: z.object({ ownerId: z.uuid(), ...Scope, conditions: RuleConditions.default({}) }),
      output: z.object({
        conditions: RuleConditions,
        bindingId: z.uuid().nullable(),
        /** Of the scope's domain. */
        domain: z.string().nullable(),
      }),
    },
    /** Counts messages that rules have refused. For ingress. */
    countRuleHits: {
      kind: "mutation",
      input: z.object({
        hits: z
          .array(z.object({ ownerId: z.uuid(), ruleId: z.uuid(), count: z.number().int(), lastAt: z.iso.datetime() }))
          .max(1_000),
      }),
      output: z.object({}),
    },
  }) as const;
