import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";

/** removed: another account proved the domain since; its former owner may prove it again. */
export const DomainState = z.enum(["unverified", "verified", "broken", "removed"]);

/**
 * ok; missing or wrong where the record is needed; advised where one that is only advised is missing; warning where it does no
 * harm now; unknown until name servers gave a certain answer.
 */
export const RecordVerdict = z.enum(["ok", "missing", "wrong", "advised", "warning", "unknown"]);

/** A record that a domain should have, and what was found. */
export const DomainRecord = z.object({
  /** Absolute, without the final dot. */
  name: z.string(),
  type: z.enum(["TXT", "MX", "CNAME"]),
  /** "" for one that is there and not needed. */
  expected: z.string(),
  /** What was found, several joined by ", "; "" for nothing. */
  found: z.string(),
  verdict: RecordVerdict,
  /**
   * Of a DKIM key: current, which signs; next, which takes over once it is published; former, which signed mail that is
   * under way. Null of other records.
   */
  keyStage: z.enum(["current", "next", "former"]).nullable().default(null),
  /** Until when the record of a former key is to stay. */
  keepUntil: z.iso.datetime().nullable().default(null),
});

export const Domain = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  /** A-labels in lower case. */
  name: z.string(),
  state: DomainState,
  records: z.array(DomainRecord),
  /** When name servers were last asked. */
  checkedAt: z.iso.datetime().nullable(),
  /** The first certain failure since it was last right. */
  failingSince: z.iso.datetime().nullable(),
});

/** Of one domain. */
export const maxPatterns = 50;

/** Takes mail to addresses of a domain that have no binding; `*` alone is a catch-all. */
export const Pattern = z.object({
  /** On the part before the @: `*` any characters, `?` one, `{a,b}` one of several. */
  glob: z.string(),
  /** Real addresses that the account has verified; none: the mail is kept for reading. */
  targets: z.array(z.string()).max(10).default([]),
  /** False: what it takes is refused, before a later pattern could take it. */
  creates: z.boolean().default(true),
  /** New addresses of the domain within an hour, at most. */
  perHour: z.number().int().min(1).max(100).default(20),
});

/** An address that a pattern takes, and that has no binding yet. */
export const NewAddress = z.object({ domainId: z.uuid(), perHour: z.number().int() });

const Owned = z.object({ ownerId: z.uuid(), id: GivenId });

/** Domains of accounts. Errors: ValidationFailed (422), Forbidden (outside a key's restrictions), QuotaExceeded, RateLimited, NotFound, Conflict. @param apiKey what an API key holds changes to */
export const domainProcedures = <ApiKey extends z.ZodType>(apiKey: ApiKey) =>
  ({
    domains: { kind: "query", input: z.object({ ownerId: z.uuid() }), output: z.array(Domain) },
    domain: { kind: "query", input: Owned, output: Domain },
    /** The one that exists where the account has it already. */
    addDomain: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), name: z.string(), apiKey }),
      output: z.object({ domain: Domain, isCreated: z.boolean() }),
    },
    /** Asks name servers now. Conflict where another account proved the domain, and its record is still there. */
    checkDomain: { kind: "mutation", input: Owned, output: Domain },
    /** Makes new DKIM keys, which sign once their records are found. Errors: Conflict while former keys have to stay. */
    rotateDomainKeys: { kind: "mutation", input: Owned.extend({ apiKey }), output: Domain },
    /** Its bindings lead nowhere until the same account proves it again. */
    removeDomain: { kind: "mutation", input: Owned.extend({ apiKey }), output: z.object({}) },
    domainPatterns: { kind: "query", input: Owned, output: z.array(Pattern) },
    /** The whole new list, in its order. */
    setDomainPatterns: {
      kind: "mutation",
      input: z.object({ ownerId: z.uuid(), id: GivenId, patterns: z.array(Pattern).max(maxPatterns), apiKey }),
      output: z.array(Pattern),
    },
    /** Counts new addresses before mail to them is accepted. Errors: RateLimited, and then none is counted. */
    reserveNewAddresses: {
      kind: "mutation",
      input: z.object({ addresses: z.array(NewAddress.extend({ bindingId: z.uuid() })).max(1_000) }),
      output: z.object({}),
    },
    /** For operators: every domain, or those of a name, by name. */
    allDomains: {
      kind: "query",
      input: z.object({ name: z.string().nullable(), limit: z.number().int().min(1).max(10_000) }),
      output: z.array(Domain),
    },
  }) as const;
