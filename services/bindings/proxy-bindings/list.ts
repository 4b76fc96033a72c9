import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import type { BindingPage, bindingsContract } from "../contract.ts";
import { checkText, invalid } from "../validation.ts";
import {
  type BindingRow,
  bindingColumns,
  noSuchBinding,
  type ProxyBinding,
  selectBindings,
  toProxyBinding,
} from "./rows.ts";

type Listing = z.output<typeof bindingsContract.procedures.list.input>;
type Page = z.output<typeof BindingPage>;

const maxSearchCharacters = 1_000;

/** Case-insensitive, in the proxy address, the description and the real addresses. An empty search matches all. */
const matches = `($2 = '' or strpos(lower(proxy_address), lower($2)) > 0 or strpos(lower(description), lower($2)) > 0
  or exists (select from real_address where binding_id = binding.id and strpos(lower(address), lower($2)) > 0))`;

interface Counts {
  total: number;
  used: number;
}
type CountedBinding = Counts & BindingRow;
/** An empty page is one row with the counts alone. */
type PageRow = CountedBinding | (Counts & { id: null });

/** A page and the counts, in one statement: round trips are most of the cost of a small answer. */
const pageFrom = (beyond: "<" | ">", order: "asc" | "desc") => `select * from (
    select count(*) filter (where ${matches}) as total, count(*) filter (where not is_automatic) as used from binding where owner_id = $1
  ) as counted left join lateral (
    select ${bindingColumns} from binding
     where owner_id = $1 and ${matches} and ($3::uuid is null or id ${beyond} $3) order by id ${order} limit $4
  ) as page on true order by id ${order}`;

const pages = { asc: pageFrom(">", "asc"), desc: pageFrom("<", "desc") };

/**
 * An account's bindings, by age; all of them, or a page that begins after a cursor.
 * @throws Refusal ValidationFailed for a cursor that is none of ours, and for a search that PostgreSQL cannot hold.
 */
export async function listBindings(
  db: Database,
  quota: number,
  { ownerId, sort, first, after, search }: Listing,
): Promise<Page> {
  const wanted = checkText("search", search ?? "", maxSearchCharacters);
  const position = after === undefined ? null : readCursor(after);
  const { rows } = await db.query<PageRow>(
    pages[sort],
    // One more than asked for tells whether there is a next page.
    [ownerId, wanted, position, first === undefined ? null : first + 1],
    { name: `bindings.page_${sort}` },
  );
  const found = rows.filter((row): row is CountedBinding => row.id !== null).map(toProxyBinding);
  const bindings = found.slice(0, first);
  const last = bindings.at(-1);
  return {
    bindings,
    totalCount: rows[0]?.total ?? 0,
    nextCursor: last && found.length > bindings.length ? cursorOf(last) : null,
    used: rows[0]?.used ?? 0,
    available: quota,
  };
}

/** @throws Refusal NotFound */
export async function getBinding(db: Database, ownerId: string, id: string): Promise<ProxyBinding> {
  const [binding] = await getBindings(db, ownerId, [id]);
  if (!binding) throw noSuchBinding();
  return binding;
}

/** Those of the bindings asked for that exist and are the account's. */
export async function getBindings(db: Database, ownerId: string, ids: readonly string[]): Promise<ProxyBinding[]> {
  return selectBindings(db, "where id = any ($1) and owner_id = $2 order by id", [ids.filter(isId), ownerId]);
}

function cursorOf({ id }: ProxyBinding): string {
  return Buffer.from(id).toString("base64url");
}

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString();
  if (!isId(id)) throw invalid("after", "is no cursor of a former page.");
  return id;
}
