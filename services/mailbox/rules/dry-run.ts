import { domainToUnicode } from "node:url";
import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import {
  type MailFacts,
  matchRule,
  type RuleConditions,
  type RuleVerdict,
  unknownConditions,
} from "../../message/rules/match-rule.ts";
import {
  normalizeAddress,
  normalizeListId,
  normalizeTag,
  normalizeText,
} from "../../message/rules/normalize-values.ts";
import type { Database } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { membershipOf } from "../../platform/net/special-ranges.ts";
import type { Client } from "../../platform/rpc/contract.ts";

type Question = z.input<typeof bindingsContract.procedures.checkRule.input>;

export interface DryRun {
  readonly since: Date;
  readonly emailsChecked: number;
  readonly matched: number;
  readonly undecided: number;
  readonly undecidedConditions: readonly string[];
  readonly isComplete: boolean;
  /** Ids of the newest that matched. */
  readonly emailIds: readonly string[];
}

/** What is kept of an email that rules ask about. */
interface KeptEmail {
  id: string;
  sender: string;
  recipient: string;
  receivedFrom: string;
  sizeBytes: number;
  dmarc: RuleVerdict | null;
  dkim: RuleVerdict | null;
  /** Null where the content is not kept. */
  subject: string | null;
  fromAddress: string | null;
  listIds: string[] | null;
}

const days = 30;
const emailLimit = 5_000;
const pageSize = 500;

/** $5: whether lists are asked about, since that takes each header apart; $7: a domain, in A-labels and in U-labels. */
const keptEmails = `
  select email.id, sender, recipient, received_from, size_bytes, dmarc, dkim, subject, from_address,
         case when $5 and content.email_id is not null then
           (select coalesce(json_agg(field ->> 1), '[]') from json_array_elements(headers) as field where lower(field ->> 0) = 'list-id')
         end as list_ids
    from mail_entry as entry join email on email.id = entry.email_id and email.owner_id = entry.owner_id
    left join content on content.email_id = email.id and content.is_browsable and removed_at is null
   where entry.owner_id = $1 and entry.email_id >= $2 and ($3::uuid is null or entry.email_id < $3)
     and ($4::uuid is null or entry.binding_id = $4) and direction = 'FORWARD'
     and ($7::text[] is null or lower(substring(proxy_address from '[^@]*$')) = any ($7))
   order by entry.email_id desc limit $6`;

/** What a rule would have done to the mail of the last days. @throws Refusal ValidationFailed, NotFound */
export async function dryRun(
  db: Database,
  bindings: Pick<Client<typeof bindingsContract>, "checkRule">,
  question: Question,
  first: number,
): Promise<DryRun> {
  const { conditions, bindingId, domain } = await bindings.checkRule(question);
  const since = new Date(Date.now() - days * dayMs);
  const asksLists = conditions.listIds !== undefined;
  const domains = domain === null ? null : [domain, domainToUnicode(domain)];
  const tally = new Tally(conditions, first);
  let before: string | null = null;
  let seen = 0;
  let page: KeptEmail[];
  do {
    const params = [question.ownerId, firstIdAt(since), before, bindingId, asksLists, pageSize, domains];
    page = (await db.query<KeptEmail>(keptEmails, params, { name: "rule_dry_run", unprepared: true })).rows;
    for (const email of page) tally.add(email);
    seen += page.length;
    before = page.at(-1)?.id ?? null;
  } while (page.length === pageSize && seen < emailLimit);
  return { since, ...tally.result, isComplete: page.length < pageSize };
}

/** Counts what a rule would have done. */
class Tally {
  readonly #conditions: RuleConditions;
  readonly #first: number;
  readonly #emailIds: string[] = [];
  readonly #undecidedConditions = new Set<string>();
  readonly #counts = { emailsChecked: 0, matched: 0, undecided: 0 };

  constructor(conditions: RuleConditions, first: number) {
    this.#conditions = conditions;
    this.#first = first;
  }

  add(email: KeptEmail): void {
    const facts = factsOf(email);
    const match = matchRule(this.#conditions, facts);
    this.#counts.emailsChecked += 1;
    if (match === "matches") {
      this.#counts.matched += 1;
      if (this.#emailIds.length < this.#first) this.#emailIds.push(email.id);
    }
    if (match !== "unknown") return;
    this.#counts.undecided += 1;
    for (const name of unknownConditions(this.#conditions, facts)) this.#undecidedConditions.add(name);
  }

  get result() {
    return { ...this.#counts, undecidedConditions: [...this.#undecidedConditions], emailIds: this.#emailIds };
  }
}

function factsOf(email: KeptEmail): MailFacts {
  const { sender, recipient, receivedFrom, fromAddress, subject, listIds } = email;
  const client = /\[([^[\]]*)\]$/.exec(receivedFrom)?.[1] ?? "";
  return {
    sender: sender === "" ? "" : normalizeAddress(sender),
    tag: normalizeTag(recipient),
    isClientIn: membershipOf(client),
    from: fromAddress === null ? undefined : [normalizeAddress(fromAddress)],
    dmarc: email.dmarc ?? undefined,
    dkim: email.dkim ?? undefined,
    subjects: subject === null ? undefined : [normalizeText(subject)],
    listIds: listIds?.map(normalizeListId),
    sizeBytes: email.sizeBytes,
  };
}
