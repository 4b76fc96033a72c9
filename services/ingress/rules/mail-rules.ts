import type { Counter } from "prom-client";
import { firstMatch, type MailFacts } from "../../message/rules/match-rule.ts";
import type { PendingCounts } from "../../platform/runtime/pending-counts.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { Email, MailTransaction } from "../receiving/mail-transaction.ts";
import type { Recipient } from "../receiving/recipients.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import { envelopeFacts } from "./mail-facts.ts";
import { changedRoute, discarded, type OpenRoute, type RouteRule } from "./route-changes.ts";
import type { RuleLimits } from "./rule-limits.ts";

type BindingRecipient = Extract<Recipient, { kind: "binding" }>;

/** A rule that refused a message. */
export interface RuleHit {
  readonly ownerId: string;
  readonly ruleId: string;
}

interface MailRulesOptions {
  hits: Pick<PendingCounts<RuleHit>, "add">;
  limits: Pick<RuleLimits, "consume" | "hasRoom">;
  metrics: Metrics;
}

/** Why a rule does not take a message: the reply that its sender gets. */
type Objection = "ruleRefused" | "ruleLimited" | "storageFull";

interface Decision {
  readonly email: Email & { recipient: BindingRecipient };
  readonly rule: RouteRule;
  readonly objection: Objection | undefined;
}

/** Applies the rules of owners: what the envelope decides when a recipient is named, the rest once the message is there. */
export class MailRules {
  readonly #options: MailRulesOptions;
  readonly #count: Counter;

  constructor(options: MailRulesOptions) {
    this.#options = options;
    const help = "Emails that a rule of their owner decided about, by what it did";
    this.#count = options.metrics.counter("postern_rules_applied_total", help, ["effect"]);
  }

  /** What the envelope alone decides. @throws SmtpRefusal ruleRefused, ruleLimited, storageFull */
  async checkRecipient(sender: string, recipient: Recipient, clientAddress: string): Promise<void> {
    if (recipient.kind !== "binding" || recipient.route.rules.length === 0) return;
    const { route, address } = recipient;
    const rule = firstMatch(route.rules, envelopeFacts(sender, address, clientAddress));
    if (rule === undefined || rule === "undecided") return;
    const objection = await this.#objectionOf(rule, route, "hasRoom");
    if (!objection) return;
    this.#refused(route, rule, objection);
    throw new SmtpRefusal(objection);
  }

  /**
   * Gives each email the route that its rule says. Where rules refuse the message for every recipient, it is refused; where others take
   * it, those who refuse get nothing, and those who would put it off get it.
   * @throws SmtpRefusal ruleRefused, ruleLimited, storageFull
   */
  async apply(transaction: MailTransaction, message: () => MailFacts, clientAddress: string): Promise<void> {
    const ruled = transaction.emails.filter(hasRules);
    if (ruled.length === 0) return;
    const decisions = await this.#decide(ruled, transaction.envelopeSender, message(), clientAddress);
    const objections = decisions.flatMap(({ objection }) => objection ?? []);
    if (objections.length === transaction.emails.length) {
      for (const { rule, email, objection } of decisions)
        this.#refused(email.recipient.route, rule, objection ?? "ruleRefused");
      // What may be taken later is tried again, and then refused for those who refuse.
      throw new SmtpRefusal(objections.find((objection) => objection !== "ruleRefused") ?? "ruleRefused");
    }
    for (const { email, rule, objection } of decisions) {
      const isRefused = objection === "ruleRefused";
      const { recipient } = email;
      const change =
        isRefused || rule.actions.discard
          ? discarded(recipient.route, rule, isRefused ? "refused" : "discarded")
          : changedRoute(recipient.route, rule, objection === "ruleLimited");
      for (const effect of change.applied.effects) this.#count.inc({ effect });
      transaction.apply(email, change);
    }
  }

  /** No event is published for its email. */
  #refused({ ownerId }: OpenRoute, { id: ruleId }: RouteRule, objection: Objection): void {
    this.#options.hits.add(`${ownerId} ${ruleId}`, { ownerId, ruleId });
    this.#count.inc({ effect: objection === "ruleRefused" ? "refused" : "put-off" });
  }

  async #decide(
    emails: readonly Decision["email"][],
    sender: string,
    message: MailFacts,
    clientAddress: string,
  ): Promise<Decision[]> {
    const decisions = emails.map(async (email): Promise<Decision | undefined> => {
      const { route, address } = email.recipient;
      const rule = firstMatch(route.rules, { ...message, ...envelopeFacts(sender, address, clientAddress) });
      if (rule === undefined) return undefined;
      if (rule === "undecided") throw new Error("a rule asks for what no message has");
      return { email, rule, objection: await this.#objectionOf(rule, route, "consume") };
    });
    return (await Promise.all(decisions)).filter((decision) => decision !== undefined);
  }

  /** @param asking "consume" counts the message towards the rule's limit */
  async #objectionOf(
    { actions, id: ruleId }: RouteRule,
    { ownerId, isStorageFull }: OpenRoute,
    asking: "consume" | "hasRoom",
  ): Promise<Objection | undefined> {
    if (actions.refuse) return "ruleRefused";
    const { limitPerHour: perHour } = actions;
    const { limits } = this.#options;
    if (perHour !== undefined && !(await limits[asking]({ ownerId, ruleId, perHour }))) return "ruleLimited";
    // What is kept alone would be nowhere.
    return actions.keepOnly && isStorageFull ? "storageFull" : undefined;
  }
}

function hasRules(email: Email): email is Decision["email"] {
  return email.recipient.kind === "binding" && email.recipient.route.rules.length > 0;
}
