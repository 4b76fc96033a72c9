import type { z } from "zod";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { type EmailAddress, parseEmailAddress, withReplaced } from "../addresses/email-address.ts";
import { localPartKey } from "../addresses/local-part.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import type { bindingsContract } from "../contract.ts";
import { maxPatterns, type Pattern as PatternSchema } from "../domains/contract.ts";
import { noSuchDomain, selectDomain } from "../domains/rows.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { checkVerifiedTargets } from "../targets/verified-targets.ts";
import { Glob, maxGlobCharacters } from "./glob.ts";

type Pattern = z.output<typeof PatternSchema>;
type Change = z.output<typeof bindingsContract.procedures.setDomainPatterns.input>;

/** Of the globs of one domain. */
const maxCharactersInAll = 1_000;

const newPatterns = recordSet({
  position: "integer",
  glob: "text",
  targets: "json",
  creates: "boolean",
  perHour: "integer",
});

/** The patterns of a domain, in their order. @throws Refusal NotFound */
export async function listPatterns(db: Queryable, ownerId: string, domainId: string): Promise<Pattern[]> {
  const { rows } = await db.query<{ patterns: Pattern[] }>(
    `select coalesce((select json_agg(json_build_object('glob', glob, 'targets', targets, 'creates', creates, 'perHour', per_hour) order by position)
                        from pattern where domain_id = domain.id), '[]') as patterns
       from domain where id = $1 and owner_id = $2`,
    [isId(domainId) ? domainId : null, ownerId],
  );
  if (!rows[0]) throw noSuchDomain();
  return rows[0].patterns;
}

/** Makes a domain's patterns exactly those given; a target that stands in one twice is one. @throws Refusal NotFound, ValidationFailed, Forbidden where the former or the new ones are outside a key's restrictions; nothing is changed then */
export async function setPatterns(
  { db, domains }: { db: Database; domains: ServedDomains },
  { ownerId, id: domainId, patterns, apiKey }: Change,
): Promise<Pattern[]> {
  const checked = patterns.map((pattern, at) => ({ ...pattern, glob: checkGlob(pattern.glob, at) }));
  checkTotalLength(checked);
  await db.tx(async (tx) => {
    await lockOwner(tx, ownerId, noSuchDomain);
    const former = await listPatterns(tx, ownerId, domainId);
    const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
    restrictions.checkDomain((await selectDomain(tx, ownerId, domainId)).name);
    checkPatterns(restrictions, [...former, ...checked]);
    const kept: Pattern[] = [];
    for (const [at, pattern] of checked.entries())
      kept.push({
        ...pattern,
        targets: await checkVerifiedTargets(tx, domains, {
          ownerId,
          targets: pattern.targets,
          former: former.flatMap(({ targets }) => targets),
          fieldOf: (place) => `patterns[${at}].targets[${place}]`,
        }),
      });
    await savePatterns(tx, domainId, kept);
  });
  return listPatterns(db, ownerId, domainId);
}

/** In place of those that the domain has. Its owner is locked, and they are checked. */
export async function savePatterns(tx: Transaction, domainId: string, patterns: readonly Pattern[]): Promise<void> {
  await tx.query("delete from pattern where domain_id = $1", [domainId]);
  await tx.query(
    `insert into pattern (domain_id, position, glob, targets, creates, per_hour)
     select $1, position, glob, array(select json_array_elements_text(targets)), creates, per_hour from ${newPatterns.from("given", 2)}`,
    [domainId, ...newPatterns.params(patterns.map((pattern, position) => ({ ...pattern, position })))],
  );
}

/** Whether a domain can have none beside its patterns. */
export function isFull(patterns: readonly Pattern[]): boolean {
  const characters = patterns.reduce((sum, { glob }) => sum + glob.length, 0);
  return patterns.length >= maxPatterns || characters >= maxCharactersInAll;
}

/**
 * Has every pattern of an account lead to another address in place of one. Its owner is locked.
 * @returns whether one led there @throws Refusal Forbidden where one is outside a key's restrictions
 */
export async function replaceInPatterns(
  tx: Transaction,
  { ownerId, restrictions }: { ownerId: string; restrictions: KeyRestrictions },
  replaced: { old: EmailAddress; wanted: EmailAddress },
): Promise<boolean> {
  const { rows } = await tx.query<Pattern & { domainId: string; name: string; position: number }>(
    `select domain_id, domain.name, position, glob, targets, creates, per_hour
       from pattern join domain on domain.id = domain_id where owner_id = $1`,
    [ownerId],
  );
  const changed = rows.flatMap((row) => {
    const targets = withReplaced(row.targets, replaced);
    return targets ? [{ row, targets }] : [];
  });
  for (const { row, targets } of changed) {
    restrictions.checkDomain(row.name);
    checkPatterns(restrictions, [row, { ...row, targets }]);
    const { domainId, position } = row;
    await tx.query("update pattern set targets = $3 where domain_id = $1 and position = $2", [
      domainId,
      position,
      targets,
    ]);
  }
  return changed.length > 0;
}

/**
 * The bindings that patterns make are held to a key as those are that it makes itself: they lead to its targets, and to some of them.
 * @throws Refusal Forbidden
 */
export function checkPatterns(restrictions: KeyRestrictions, patterns: readonly Pattern[]): void {
  const kept = { key: "" };
  for (const { targets, creates } of patterns) {
    const addresses = targets.map((target) => parseEmailAddress(target).emailAddress ?? kept);
    restrictions.checkTargets(creates && addresses.length === 0 ? [kept] : addresses, undefined);
  }
}

/** Every address without a binding is compared with all of them. @throws Refusal ValidationFailed */
function checkTotalLength(patterns: readonly Pattern[]): void {
  let characters = 0;
  for (const [at, { glob }] of patterns.entries()) {
    characters += glob.length;
    if (characters > maxCharactersInAll)
      throw invalidField(
        `patterns[${at}].glob`,
        `all of them together have more than ${maxCharactersInAll} characters.`,
      );
  }
}

function checkGlob(given: string, at: number): string {
  const field = `patterns[${at}].glob`;
  const key = localPartKey(given);
  if (key === "") throw invalidField(field, "is empty.");
  // First of all: what stars are looked at for takes a time that goes with the cube of the length.
  if (key.length > maxGlobCharacters) throw invalidField(field, `has more than ${maxGlobCharacters} characters.`);
  const glob = key.replaceAll(/\*{2,}(?![^{]*\})/g, "*");
  if (/[\s@+"\p{Cc}\p{Cs}]/u.test(glob)) throw invalidField(field, "has characters that no part before an @ has here.");
  try {
    return new Glob(glob) && glob;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidField(field, `${error.message}.`);
  }
}
