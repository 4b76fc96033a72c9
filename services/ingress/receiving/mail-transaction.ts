import { domainOf, splitAddress, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { newId } from "../../platform/ids.ts";
import { type AppliedRule, type ChangedRoute, nowhere, type OpenRoute } from "../rules/route-changes.ts";
import { operatorBindingId } from "./operator-route.ts";
import type { Recipient } from "./recipients.ts";

/** A message for one recipient. */
export interface Email {
  readonly id: string;
  readonly recipient: Recipient;
  /** What a rule did to it, and the route that it would have taken. */
  readonly applied?: AppliedRule & { readonly formerRoute: OpenRoute };
  readonly discarded?: DiscardReason;
}

/** Why nobody gets an email of a message that other recipients take: refused, had it been for this one alone. */
type DiscardReason = "forged" | "sender-blocked";

/** One mail transaction (RFC 5321 section 3.3): from MAIL FROM to the reply to DATA. */
export class MailTransaction {
  readonly envelopeSender: string;
  readonly #emails = new Map<string, Email>();
  readonly #discarded: Email[] = [];

  constructor(envelopeSender: string) {
    this.envelopeSender = envelopeSender;
  }

  /** One per binding and subaddress, for the first of the recipient addresses with them. */
  get emails(): Email[] {
    return [...this.#emails.values()];
  }

  /** Emails that nobody gets; their owners see that they came. */
  get discarded(): readonly Email[] {
    return this.#discarded;
  }

  has(recipient: Recipient): boolean {
    return this.#emails.has(identityOf(recipient));
  }

  /** Whether it may have this recipient as well: a reverse address shares a transaction with nothing else. */
  mayAdd(recipient: Recipient): boolean {
    return this.#emails.size === 0 || (recipient.kind !== "reverse" && this.reverseEmail === undefined);
  }

  /** The email to a reverse address, which is then the only one. */
  get reverseEmail(): (Email & { recipient: Extract<Recipient, { kind: "reverse" }> }) | undefined {
    const [email] = this.#emails.values();
    return email?.recipient.kind === "reverse" ? { ...email, recipient: email.recipient } : undefined;
  }

  add(recipient: Recipient): void {
    this.#emails.set(identityOf(recipient), { id: newId(), recipient });
  }

  /** Gives an email the route that a rule says. */
  apply({ id, recipient }: Email, { route, applied }: ChangedRoute): void {
    if (recipient.kind !== "binding") throw new Error("rules are for mail to bindings");
    const changed = { id, recipient: { ...recipient, route }, applied: { ...applied, formerRoute: recipient.route } };
    this.#emails.set(identityOf(recipient), changed);
  }

  /** Takes emails out, which lead nowhere from then on. */
  discard(isDiscarded: (email: Email) => boolean, discarded: DiscardReason): void {
    for (const [identity, { id, recipient }] of this.#emails)
      if (recipient.kind === "binding" && isDiscarded({ id, recipient })) {
        this.#emails.delete(identity);
        this.#discarded.push({ id, recipient: { ...recipient, route: { ...recipient.route, ...nowhere } }, discarded });
      }
  }

  /**
   * Whether every recipient is postmaster, abuse or a reverse path: such mail is never refused because of its author. One such
   * recipient among others makes no exception, or senders would add one to get mail past the sender policy.
   */
  get isForServiceAlone(): boolean {
    return this.emails.every(
      ({ recipient }) =>
        recipient.kind === "returned" ||
        (recipient.kind === "binding" && recipient.route.bindingId === operatorBindingId),
    );
  }

  /** Accounts' own domains that recipients are on, in A-labels. */
  ownDomains(serviceDomain: string): string[] {
    return [...new Set(this.emails.flatMap((email) => ownDomainsOf(email, serviceDomain)))];
  }

  /** The recipient addresses as given, and the proxy addresses that they lead to. */
  addresses(): string[] {
    return this.emails.flatMap(addressesOf);
  }
}

/** Whether its owner answers from the proxy address. */
export function isAnswering({ recipient }: Email): boolean {
  return recipient.kind === "binding" && recipient.route.answers;
}

/** Accounts' own domains that the recipient of an email is on, in A-labels. */
export function ownDomainsOf(email: Email, serviceDomain: string): string[] {
  const domains = addressesOf(email).map((address) => domainOf(withAsciiDomain(address)));
  return domains.filter((domain) => domain !== "" && domain !== serviceDomain);
}

function addressesOf({ recipient }: Email): string[] {
  return recipient.kind === "binding" ? [recipient.address, recipient.route.proxyAddress] : [recipient.address];
}

/**
 * Mail to alice+run42@ and to alice+run43@ is two emails of one binding. Spellings that differ in letter case or Unicode normalisation
 * are one.
 */
function identityOf(recipient: Recipient): string {
  if (recipient.kind === "complaint") return recipient.kind;
  if (recipient.kind !== "binding") return recipient.address.toLowerCase();
  return `${recipient.route.bindingId} ${subaddressOf(recipient.address)}`;
}

/** RFC 5233 section 4; "" if there is none. */
function subaddressOf(address: string): string {
  const local = splitAddress(address).localPart.replace(/^"(.*)"$/s, "$1");
  const plus = local.indexOf("+", 1);
  return plus < 0 ? "" : local.slice(plus).normalize("NFC").toLowerCase();
}
