import type { z } from "zod";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { bindingsContract } from "../contract.ts";
import { checkBindingRestrictions } from "../key-restrictions/check-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { checkText } from "../validation.ts";
import { noSuchBinding } from "./rows.ts";

type Note = z.output<typeof bindingsContract.procedures.setWebsites.input>;

const maxSites = 100;
const maxSiteCharacters = 253;

/** The web sites that each address of an account was given to, as its programs noted them. */
export async function listWebsites(
  db: Database,
  { ownerId, bindingIds }: z.output<typeof bindingsContract.procedures.websites.input>,
): Promise<{ bindingId: string; sites: string[] }[]> {
  const { rows } = await db.query<{ bindingId: string; sites: string[] }>(
    `select binding_id, sites from used_on join binding on id = binding_id
      where owner_id = $1 and ($2::uuid[] is null or binding_id = any ($2)) order by binding_id`,
    [ownerId, bindingIds?.filter(isId) ?? null],
  );
  return rows;
}

/** The whole new list of one. @throws Refusal NotFound, ValidationFailed, Forbidden where it is outside a key's restrictions */
export async function setWebsites(db: Database, { apiKey, ...note }: Note): Promise<void> {
  if (!isId(note.bindingId)) throw noSuchBinding();
  await db.tx(async (tx) => {
    await lockOwner(tx, note.ownerId, noSuchBinding);
    await checkBindingRestrictions(tx, { ...note, apiKey });
    await writeWebsites(tx, note);
  });
}

/** The owner is locked. @throws Refusal NotFound, ValidationFailed */
export async function writeWebsites(
  tx: Transaction,
  { ownerId, bindingId, sites }: Omit<Note, "apiKey">,
): Promise<void> {
  if (sites.length > maxSites) throw invalidField("sites", `has more than ${maxSites} entries.`);
  const checked = [...new Set(sites.map((site) => checkText("sites", site, maxSiteCharacters)))];
  const { rowCount } = await tx.query(
    `insert into used_on (binding_id, sites) select id, $3 from binding where id = $1 and owner_id = $2
     on conflict (binding_id) do update set sites = excluded.sites`,
    [bindingId, ownerId, checked],
  );
  if (rowCount === 0) throw noSuchBinding();
}
