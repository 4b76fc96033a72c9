import { z } from "zod";
import { Moment } from "../../platform/rpc/moment.ts";
import { storableText } from "../../platform/storable-text.ts";
import { BindingSettings, bindingLimits } from "../contract.ts";
import { Pattern } from "../domains/contract.ts";
import { RuleActions, RuleConditions } from "../rules/contract.ts";

const address = z.string().max(1_000);

const Target = z.object({
  address,
  isEnabled: z.boolean().default(true),
  spfSuffices: z.boolean().optional(),
  /** On the reserved internal domain of the installation that it comes from. */
  isInternal: z.boolean().default(false),
});

/** One thing that an import makes. Loose: each is checked as a request would be when it is made, and refused alone. */
export const Entry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("domain"), name: address }),
  z.object({
    kind: z.literal("address"),
    address,
    settings: BindingSettings,
    /** Empty: the account's own address. */
    targets: z.array(Target).max(bindingLimits.realAddresses),
    /** Whether the mail of an address without targets is wanted. */
    isEnabled: z.boolean().default(true),
    sites: z.array(z.string().max(1_000)).max(100).default([]),
  }),
  z.object({ kind: z.literal("patterns"), domain: address, patterns: z.array(Pattern).max(50) }),
  z.object({
    kind: z.literal("contact"),
    /** The proxy address as it was. */
    of: address,
    address,
    name: z.string().max(1_000).default(""),
    isBlocked: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal("rule"),
    /** As it was: asked for again, it is the same rule. */
    id: z.uuid(),
    /** The proxy address, or the domain, that it is for; neither: the account. */
    of: address.nullable(),
    domain: address.nullable(),
    name: z.string().max(1_000),
    conditions: RuleConditions,
    actions: RuleActions,
    expiresAt: Moment.nullable(),
  }),
]);

export type Entry = z.output<typeof Entry>;
export type AddressEntry = Extract<Entry, { kind: "address" }>;

/** What an entry is called in the table of old and new. */
export function oldValue(entry: Entry): string {
  if (entry.kind === "domain") return entry.name;
  if (entry.kind === "rule") return entry.of ?? entry.domain ?? "";
  return entry.kind === "patterns" ? entry.domain : entry.address;
}

/** As a column takes it. */
export function storable(entry: Entry): Entry {
  const text = JSON.stringify(entry, (_, value) => (typeof value === "string" ? storableText(value) : value));
  return JSON.parse(text) as Entry;
}

/** What another program wrote; undefined for what is no JSON. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what is wrong.
    return undefined;
  }
}
