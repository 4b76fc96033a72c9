import type { z } from "zod";
import type { DomainRecord as DomainRecordSchema, RecordVerdict } from "./contract.ts";
import type { Proof } from "./state.ts";

type DomainRecord = z.output<typeof DomainRecordSchema>;
type KeyStage = NonNullable<DomainRecord["keyStage"]>;
type Verdict = z.output<typeof RecordVerdict>;

/** The data of the records of a name and type; undefined where no name server gave a certain answer. */
export type DnsAnswer = readonly string[] | undefined;

/** A record and what was found of it; `key` tells it from the domain's others. */
export interface EvaluatedRecord extends Omit<DomainRecord, "keyStage" | "keepUntil"> {
  readonly key: string;
  readonly keyStage?: KeyStage;
  readonly keepUntil?: string | null;
}

/** One of the domain's DKIM keys, from forwarder. */
export interface DomainKey {
  readonly selector: string;
  /** The whole record. */
  readonly value: string;
  readonly publicKey: string;
  readonly stage: KeyStage;
  /** Of a former key: when its record may go. */
  readonly keepUntil: string | null;
}

/** What a domain's records are compared with. */
export interface Expectations {
  readonly name: string;
  readonly token: string;
  /** The hosts that take mail, the preferred one first. */
  readonly hosts: readonly string[];
  /** Undefined where forwarder could not be asked: its DKIM records then stay as they were found. */
  readonly keys: readonly DomainKey[] | undefined;
  /** What the CNAME of a selector points to; undefined where keys are published as TXT. */
  delegatedTo: ((selector: string) => string) | undefined;
}

/** What was found, by the question: "name TYPE". */
type Findings = ReadonlyMap<string, DnsAnswer>;

export interface Evaluation {
  readonly records: readonly EvaluatedRecord[];
  readonly proof: Proof;
  /** Selectors whose keys certainly are, and certainly are not, published. */
  readonly published: readonly string[];
  readonly unpublished: readonly string[];
  /** Selectors of all its keys; undefined where forwarder could not be asked. */
  readonly selectors: readonly string[] | undefined;
}

const shownValues = 10;
const shownCharacters = 1_000;
export const mxOtherKey = "mx other";
export const dkimKeyPrefix = "dkim ";

function ownershipText(token: string): string {
  return `postern-verify=${token}`;
}

/** The name servers' questions for a domain. */
export function questionsOf({
  name,
  keys = [],
  delegatedTo,
}: Expectations): [name: string, type: "TXT" | "MX" | "CNAME"][] {
  return [
    [`_postern.${name}`, "TXT"],
    [name, "MX"],
    ...keys.flatMap(({ selector }): [string, "TXT" | "CNAME"][] => {
      const owner = `${selector}._domainkey.${name}`;
      return delegatedTo
        ? [
            [owner, "CNAME"],
            [owner, "TXT"],
          ]
        : [[owner, "TXT"]];
    }),
    [`_dmarc.${name}`, "TXT"],
    [name, "TXT"],
  ];
}

/** Evaluates what was found. */
export function evaluate(expected: Expectations, findings: Findings): Evaluation {
  const { name, keys = [] } = expected;
  const ownership = evaluateText(
    { key: "ownership", name: `_postern.${name}`, expected: ownershipText(expected.token) },
    answerOf(findings, `_postern.${name}`, "TXT"),
  );
  const exchangers = answerOf(findings, name, "MX");
  const dkim = keys.map((each) => evaluateKey(expected, each, findings));
  return {
    records: [
      ownership,
      ...evaluateExchangers(expected, exchangers),
      ...dkim.map(({ record }) => record),
      evaluateAdvice({ key: "dmarc", name: `_dmarc.${name}`, expected: "v=DMARC1; p=quarantine" }, findings),
      evaluateAdvice({ key: "spf", name, expected: "v=spf1 mx ~all" }, findings),
    ],
    proof: proofOf(
      ownership.verdict,
      exchangers?.some((each) => isOurs(each, expected.hosts)),
    ),
    published: dkim.flatMap(({ isPublished, selector }) => (isPublished === true ? [selector] : [])),
    unpublished: dkim.flatMap(({ isPublished, selector }) => (isPublished === false ? [selector] : [])),
    selectors: expected.keys?.map(({ selector }) => selector),
  };
}

/** Whether a text proves ownership; quotation marks and blanks around it are a registrar's form's. */
export function isProofOf(token: string, texts: readonly string[]): boolean {
  return texts.some((text) => plain(text) === ownershipText(token));
}

function proofOf(ownership: Verdict, hasExchanger: boolean | undefined): Proof {
  if (ownership === "ok" && hasExchanger) return "proved";
  const isAbsent = (ownership !== "ok" && ownership !== "unknown") || hasExchanger === false;
  return isAbsent ? "absent" : "unknown";
}

type Wanted = Pick<EvaluatedRecord, "key" | "name" | "expected">;

function evaluateText(wanted: Wanted, answer: DnsAnswer): EvaluatedRecord {
  const isThere = answer?.some((text) => plain(text) === wanted.expected) === true;
  return { ...wanted, type: "TXT", found: shown(answer), verdict: verdictOf(answer, isThere) };
}

function verdictOf(answer: DnsAnswer, isRight: boolean): Verdict {
  if (!answer) return "unknown";
  if (isRight) return "ok";
  return answer.length === 0 ? "missing" : "wrong";
}

/** A record for each host of ours, of which one is enough; and what other hosts take mail besides. */
function evaluateExchangers({ name, hosts }: Expectations, answer: DnsAnswer): EvaluatedRecord[] {
  const hasOurs = answer?.some((exchanger) => isOurs(exchanger, hosts)) === true;
  const records = hosts.map((host, at): EvaluatedRecord => {
    const found = answer?.filter((exchanger) => isOurs(exchanger, [host]));
    const verdict = found?.length ? "ok" : hasOurs ? "warning" : verdictOf(answer, false);
    const expected = `${(at + 1) * 10} ${host}`;
    return { key: `mx ${host}`, name, type: "MX", expected, found: shown(found?.length ? found : answer), verdict };
  });
  const others = answer?.filter((exchanger) => !isOurs(exchanger, hosts)) ?? [];
  if (!hasOurs || others.length === 0) return records;
  return [...records, { key: mxOtherKey, name, type: "MX", expected: "", found: shown(others), verdict: "warning" }];
}

/** @param exchanger preference and host */
function isOurs(exchanger: string, hosts: readonly string[]): boolean {
  const host = exchanger.split(" ")[1]?.replace(/\.$/, "").toLowerCase();
  return hosts.some((ours) => ours.toLowerCase() === host);
}

function evaluateKey(
  { name, delegatedTo }: Expectations,
  { selector, value, publicKey, stage: keyStage, keepUntil }: DomainKey,
  findings: Findings,
) {
  const owner = `${selector}._domainkey.${name}`;
  const key = `${dkimKeyPrefix}${selector}`;
  const texts = answerOf(findings, owner, "TXT");
  // Verifiers take any one of several, so that only one must be there (RFC 6376 section 3.6.2.2).
  const isPublished = texts && texts.length === 1 && keyIn(texts[0] ?? "") === publicKey;
  if (!delegatedTo) {
    const verdict = verdictAt(keyStage, verdictOf(texts, isPublished === true));
    const wanted = { key, name: owner, type: "TXT", expected: value } as const;
    const record: EvaluatedRecord = { ...wanted, found: shown(texts), verdict, keyStage, keepUntil };
    return { record, isPublished, selector };
  }
  const expected = delegatedTo(selector);
  const targets = answerOf(findings, owner, "CNAME");
  const isRight =
    isPublished === true ||
    targets?.some((target) => target.replace(/\.$/, "").toLowerCase() === expected.toLowerCase());
  const verdict = verdictAt(keyStage, isPublished === true ? "ok" : verdictOf(targets, isRight === true));
  const wanted = { key, name: owner, type: "CNAME", expected } as const;
  const record: EvaluatedRecord = { ...wanted, found: shown(targets), verdict, keyStage, keepUntil };
  return { record, isPublished, selector };
}

/** The record of a key that does not sign yet is only recommended; so is that of one that signs no more. */
function verdictAt(stage: KeyStage, verdict: Verdict): Verdict {
  if (stage === "current" || (verdict !== "missing" && verdict !== "wrong")) return verdict;
  return stage === "next" ? "advised" : "warning";
}

/** The public key of a key record (RFC 6376 section 3.6.1). */
function keyIn(record: string): string | undefined {
  return /(?:^|;)\s*p\s*=([^;]*)/.exec(record)?.[1]?.replace(/\s+/g, "");
}

/** A policy is its owner's to word: that there is one is enough. */
function evaluateAdvice(wanted: Wanted, findings: Findings): EvaluatedRecord {
  const version = wanted.expected.split(/[ ;]/, 1)[0] ?? "";
  const answer = answerOf(findings, wanted.name, "TXT")?.filter((text) =>
    plain(text).toLowerCase().startsWith(version.toLowerCase()),
  );
  const verdict = !answer ? "unknown" : answer.length > 0 ? "ok" : "advised";
  return { ...wanted, type: "TXT", found: shown(answer), verdict };
}

function answerOf(findings: Findings, name: string, type: string): DnsAnswer {
  return findings.get(`${name} ${type}`);
}

/** Foreign name servers decide what there is to look at: a run of blanks is looked at from its beginning alone. */
function plain(text: string): string {
  return text.replace(/^["\s]+|(?<!["\s])["\s]+$/g, "");
}

/** As it can be stored and shown: foreign name servers answer anything, of any length. */
function shown(answer: DnsAnswer): string {
  const values = (answer ?? []).slice(0, shownValues).map((value) => value.slice(0, shownCharacters));
  return values.join(", ").replace(/[\p{Cc}\p{Cs}]/gu, "\ufffd");
}
