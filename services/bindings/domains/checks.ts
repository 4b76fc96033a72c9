import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { hourMs } from "../../platform/durations.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { applyCheck, holderAmong } from "./apply-check.ts";
import type { NameServers } from "./name-servers.ts";
import {
  type DnsAnswer,
  type DomainKey,
  dkimKeyPrefix,
  type Evaluation,
  type Expectations,
  evaluate,
  mxOtherKey,
  questionsOf,
} from "./records.ts";
import { type DomainRow, lockDomainsNamed, readDomain } from "./rows.ts";
import { isProved } from "./state.ts";

interface DomainChecksOptions {
  db: Database;
  domains: ServedDomains;
  nameServers: Pick<NameServers, "ask">;
  /** The DKIM keys of a domain, made when they are asked for first. @throws Outage */
  keysOf(domainId: string): Promise<readonly DomainKey[]>;
  /** The hosts that take mail, the preferred one first. */
  hosts: readonly string[];
  /** DKIM_DELEGATION is cname. */
  isDelegated: boolean;
  serviceName: string;
  now(): Date;
}

const unverifiedIntervalMs = hourMs;
const provedIntervalMs = 6 * hourMs;
/** So that domains added together are not asked about together for ever. */
const spread = 0.2;

const foundRecords = recordSet({
  key: "text",
  position: "integer",
  name: "text",
  type: "text",
  expected: "text",
  found: "text",
  verdict: "text",
  keyStage: "text",
  keepUntil: "text",
});

/** Looks at what domains publish, and keeps what follows from it. */
export class DomainChecks {
  readonly #options: DomainChecksOptions;

  constructor(options: DomainChecksOptions) {
    this.#options = options;
  }

  /** Writes down what a new domain should publish, before name servers are asked. @throws Outage if forwarder cannot be asked */
  async describe(domain: DomainRow): Promise<void> {
    const expected = this.#expectations(domain, await this.#options.keysOf(domain.id));
    await this.#options.db.tx(async (tx) => {
      // As a check does, which may have begun: else each would wait for what the other holds, records or domain.
      await lockDomainsNamed(tx, domain.name);
      await this.#writeRecords(tx, domain.id, evaluate(expected, new Map()), true);
    });
  }

  /**
   * Asks name servers about a domain. What they do not answer for certain stays as it was.
   * @returns undefined if there is no such domain; isContested if another account's record is still there
   */
  async check(id: string): Promise<{ isContested: boolean } | undefined> {
    const asked = await readDomain(this.#options.db, id);
    if (!asked) return undefined;
    const expected = this.#expectations(asked, await this.#keysIfKnown(id));
    const findings = await this.#ask(questionsOf(expected));
    const evaluation = evaluate(expected, findings);
    const ownershipTexts = await this.#confirmed(asked, evaluation, findings);
    const { db, now, serviceName, domains } = this.#options;
    return db.tx(
      async (tx) => {
        const sameName = await lockDomainsNamed(tx, asked.name);
        const before = sameName.find((domain) => domain.id === id);
        if (!before) return undefined;
        const check = { evaluation, ownershipTexts, now: now(), serviceName, domains };
        const { domain, isContested } = await applyCheck(tx, sameName, before, check);
        await this.#writeDomain(tx, domain);
        await this.#writeRecords(tx, id, evaluation, expected.keys !== undefined);
        return { isContested };
      },
      { attempts: 3 },
    );
  }

  /** Undefined while forwarder cannot be asked; the other records are checked nevertheless. */
  async #keysIfKnown(id: string): Promise<readonly DomainKey[] | undefined> {
    try {
      return await this.#options.keysOf(id);
    } catch (error) {
      if (error instanceof Outage) return undefined;
      throw error;
    }
  }

  /** Whoever would take a domain over from another account is asked about twice; none if the answers differ, undefined if nobody holds it. */
  async #confirmed({ id, name }: DomainRow, { proof }: Evaluation, findings: ReadonlyMap<string, DnsAnswer>) {
    if (proof !== "proved") return undefined;
    const { rows } = await this.#options.db.query<DomainRow>("select id, state from domain where name = $1", [name]);
    if (!holderAmong(rows, id)) return undefined;
    const question = `_postern.${name}`;
    const first = findings.get(`${question} TXT`) ?? [];
    const second = (await this.#options.nameServers.ask(question, "TXT")) ?? [];
    return first.toSorted().join("\n") === second.toSorted().join("\n") ? first : [];
  }

  #expectations({ id, name, token }: DomainRow, keys: readonly DomainKey[] | undefined): Expectations {
    const { hosts, isDelegated, domains } = this.#options;
    const delegatedTo = (selector: string) => `${selector}.${id}._dkim.${domains.service}`;
    return { name, token, hosts, keys, delegatedTo: isDelegated ? delegatedTo : undefined };
  }

  async #ask(questions: ReturnType<typeof questionsOf>): Promise<ReadonlyMap<string, DnsAnswer>> {
    const { nameServers } = this.#options;
    const answers = await Promise.all(
      questions.map(async ([name, type]) => [`${name} ${type}`, await nameServers.ask(name, type)] as const),
    );
    return new Map(answers);
  }

  async #writeDomain(tx: Transaction, domain: DomainRow): Promise<void> {
    const { id, state, epoch, failures, failingSince, brokenAt, noticesSent, publishedSelectors } = domain;
    const now = this.#options.now();
    const intervalMs = isProved(state) ? provedIntervalMs : unverifiedIntervalMs;
    const dueInMs = intervalMs * (1 - spread + 2 * spread * Math.random());
    await tx.query(
      `update domain set state = $2, epoch = $3, failures = $4, failing_since = $5, broken_at = $6, notices_sent = $7,
              published_selectors = $8, checked_at = $9, due_at = $10, attempt_count = 0
        where id = $1`,
      [
        ...[id, state, epoch, failures, failingSince, brokenAt, noticesSent],
        ...[publishedSelectors, now, new Date(now.getTime() + dueInMs)],
      ],
    );
  }

  /** Replaces the records; those without a certain answer keep what was found before. @param isDkimKnown the keys were known */
  async #writeRecords(tx: Transaction, id: string, { records }: Evaluation, isDkimKnown: boolean): Promise<void> {
    const hasExchangers = records.some(({ type, verdict }) => type === "MX" && verdict !== "unknown");
    await tx.query(
      `delete from domain_check where domain_id = $1 and record <> all ($2)
          and (record <> '${mxOtherKey}' or $3) and (not starts_with(record, '${dkimKeyPrefix}') or $4)`,
      [id, records.map(({ key }) => key), hasExchangers, isDkimKnown],
    );
    const rows = records.map((each, position) => ({
      ...each,
      keyStage: each.keyStage,
      keepUntil: each.keepUntil,
      position,
    }));
    await tx.query(
      `insert into domain_check as kept
              (domain_id, record, position, name, type, expected, found, verdict, at, key_stage, keep_until)
       select $1, key, position, name, type, expected, found, verdict, $2, key_stage, keep_until::timestamptz
         from ${foundRecords.from("given", 3)}
       on conflict (domain_id, record) do update
          set position = excluded.position, name = excluded.name, type = excluded.type, expected = excluded.expected,
              key_stage = excluded.key_stage, keep_until = excluded.keep_until,
              ${["found", "verdict", "at"].map((column) => `${column} = ${unlessUncertain(column)}`).join(", ")}`,
      [id, this.#options.now(), ...foundRecords.params(rows)],
    );
  }
}

/** What was found stays where there was no certain answer to the same question. */
function unlessUncertain(column: string): string {
  const isUncertain = "excluded.verdict = 'unknown' and kept.expected = excluded.expected";
  return `case when ${isUncertain} then kept.${column} else excluded.${column} end`;
}

/** What somebody who asks for a check by hand is told. @throws Refusal Conflict */
export function refuseContested(name: string): never {
  throw new Refusal("Conflict", {
    public: `Another account has proved ${name}, and its record is still published: remove it there, or from the DNS.`,
  });
}
