import { splitAddress } from "../address/addr-spec.ts";

/** Of DMARC, or of a DKIM signature of the author's domain. unknown: DNS could not tell, or the author or the record cannot be read. */
export type RuleVerdict = "pass" | "fail" | "none" | "unknown";

/**
 * What a rule asks of a message. Each member that is there has to hold, by any of its values; none at all asks for nothing. Values are in
 * the form that normalize-values gives them.
 */
export interface RuleConditions {
  /** Envelope senders: addresses, domains with what is under them, or "<>" for the null sender. */
  readonly senders?: readonly string[] | undefined;
  /** Networks of the client, as CIDR. */
  readonly clientNetworks?: readonly string[] | undefined;
  /** Subaddresses of the recipient (RFC 5233), without the plus; "" for none. */
  readonly tags?: readonly string[] | undefined;
  /** Authors: addresses, or domains with what is under them. */
  readonly from?: readonly string[] | undefined;
  readonly dmarc?: readonly RuleVerdict[] | undefined;
  readonly dkim?: readonly RuleVerdict[] | undefined;
  /** Texts of which the subject has one. */
  readonly subjectContains?: readonly string[] | undefined;
  /** Lists (RFC 2919), with what is under them. */
  readonly listIds?: readonly string[] | undefined;
  /** In octets, as the message came. */
  readonly largerThan?: number | undefined;
  readonly smallerThan?: number | undefined;
}

/** What is known of a message for one recipient; what is undefined is not known yet, or not kept any more. */
export interface MailFacts {
  /** "" for the null sender. */
  readonly sender?: string | undefined;
  /** Whether the client is in one of these networks. */
  readonly isClientIn?: ((networks: readonly string[]) => boolean) | undefined;
  readonly tag?: string | undefined;
  /** Every address that readers may show as the author. */
  readonly from?: readonly string[] | undefined;
  readonly dmarc?: RuleVerdict | undefined;
  readonly dkim?: RuleVerdict | undefined;
  /** One for each Subject field: readers differ in which they show. */
  readonly subjects?: readonly string[] | undefined;
  readonly listIds?: readonly string[] | undefined;
  readonly sizeBytes?: number | undefined;
}

type Match = "matches" | "differs" | "unknown";

/** One condition: whether it holds; undefined where what it asks about is not known. */
type Check = (conditions: RuleConditions, facts: MailFacts) => boolean | undefined;

const checks: { readonly [Name in keyof RuleConditions]-?: Check } = {
  senders: ({ senders = [] }, { sender }) => isKnown(sender, (known) => senders.some((each) => isSender(known, each))),
  clientNetworks: ({ clientNetworks = [] }, { isClientIn }) => isKnown(isClientIn, (isIn) => isIn(clientNetworks)),
  tags: ({ tags = [] }, { tag }) => isKnown(tag, (known) => tags.includes(known)),
  from: ({ from = [] }, facts) => anyOf(facts.from, from, isAddressOf),
  dmarc: ({ dmarc = [] }, facts) => isKnown(facts.dmarc, (verdict) => dmarc.includes(verdict)),
  dkim: ({ dkim = [] }, facts) => isKnown(facts.dkim, (verdict) => dkim.includes(verdict)),
  subjectContains: ({ subjectContains = [] }, { subjects }) =>
    anyOf(subjects, subjectContains, (subject, text) => subject.includes(text)),
  listIds: ({ listIds = [] }, facts) => anyOf(facts.listIds, listIds, isWithin),
  largerThan: ({ largerThan = 0 }, { sizeBytes }) => isKnown(sizeBytes, (size) => size > largerThan),
  smallerThan: ({ smallerThan = 0 }, { sizeBytes }) => isKnown(sizeBytes, (size) => size < smallerThan),
};

const names = Object.keys(checks) as (keyof RuleConditions)[];

/** Whether a message meets the conditions of a rule. What is known decides where it can. */
export function matchRule(conditions: RuleConditions, facts: MailFacts): Match {
  const results = conditionsInUse(conditions).map((name) => checks[name](conditions, facts));
  if (results.includes(false)) return "differs";
  return results.includes(undefined) ? "unknown" : "matches";
}

/** The conditions that cannot be decided by what is known. */
export function unknownConditions(conditions: RuleConditions, facts: MailFacts): (keyof RuleConditions)[] {
  return conditionsInUse(conditions).filter((name) => checks[name](conditions, facts) === undefined);
}

/** The first rule that a message matches; "undecided" where what is not known yet decides whether it does. */
export function firstMatch<Rule extends { readonly conditions: RuleConditions }>(
  rules: readonly Rule[],
  facts: MailFacts,
): Rule | "undecided" | undefined {
  for (const rule of rules) {
    const match = matchRule(rule.conditions, facts);
    if (match === "matches") return rule;
    if (match === "unknown") return "undecided";
  }
  return undefined;
}

/** The conditions that a rule has. */
export function conditionsInUse(conditions: RuleConditions): (keyof RuleConditions)[] {
  return names.filter((name) => conditions[name] !== undefined);
}

function isKnown<Fact>(fact: Fact | undefined, holds: (fact: Fact) => boolean): boolean | undefined {
  return fact === undefined ? undefined : holds(fact);
}

function anyOf(
  found: readonly string[] | undefined,
  wanted: readonly string[],
  isIt: (found: string, wanted: string) => boolean,
): boolean | undefined {
  return found?.some((each) => wanted.some((one) => isIt(each, one)));
}

function isSender(sender: string, wanted: string): boolean {
  return sender === "" || wanted === "<>" ? sender === "" && wanted === "<>" : isAddressOf(sender, wanted);
}

/** An address is compared whole; a domain stands for the addresses on it, and under it. */
function isAddressOf(address: string, wanted: string): boolean {
  return wanted.includes("@") ? address === wanted : isWithin(splitAddress(address).domain, wanted);
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.endsWith(`.${outer}`);
}
