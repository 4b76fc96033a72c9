import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import type { BindingPage, bindingsContract } from "../contract.ts";
import { checkText, invalidCursor, readAfterCursor } from "../validation.ts";
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

/** Case-insensitive, in the proxy address, the description, the labels and the real addresses. An empty search matches all. */
const matches = `($2 = '' or strpos(lower(proxy_address), lower($2)) > 0 or strpos(lower(description), lower($2)) > 0
  or exists (select from real_address where binding_id = binding.id and strpos(lower(address), lower($2)) > 0)
  or exists (select from used_on, unnest(sites) as site where binding_id = binding.id and strpos(lower(site), lower($2)) > 0))`;

/** On: at least one of its real addresses is, or the reserved one of a binding that forwards to nobody, which takes mail all the same. */
const isInState = `($5::boolean is null or $5 = exists (select from real_address where binding_id = binding.id and is_enabled))
  and ($6::text is null or split_part(proxy_address_key, '@', 2) = $6)`;

/** What pages can be in the order of: a column, and its type. Where two are alike, age decides. */
const orders = {
  created: { key: "id", type: "uuid" },
  address: { key: 'proxy_address_key collate "C"', type: "text" },
  received: { key: "received_emails", type: "bigint" },
  "last-received": { key: "coalesce(last_received_at, '-infinity')", type: "timestamptz" },
} as const satisfies Record<Listing["order"], { key: string; type: string }>;

interface Counts {
  total: number;
  used: number;
}
type CountedBinding = Counts & BindingRow & { sortKey: string };
/** An empty page is one row with the counts alone. */
type PageRow = CountedBinding | (Counts & { id: null });

/** A page and the counts, in one statement: round trips are most of the cost of a small answer. */
function pageFrom(order: Listing["order"], direction: Listing["sort"]): string {
  const { key, type } = orders[order];
  const beyond = direction === "asc" ? ">" : "<";
  // Ids are unique, so they need no second column to break ties; so written, the index gives them in order.
  const isBeyond = key === "id" ? `$7::uuid = $3 and id ${beyond} $3` : `(${key}, id) ${beyond} ($7::${type}, $3)`;
  const byKey = key === "id" ? "" : `sort_value ${direction}, `;
  return `select * from (
    select count(*) filter (where ${matches} and ${isInState}) as total, count(*) filter (where not is_automatic) as used from binding where owner_id = $1
  ) as counted left join lateral (
    select ${bindingColumns}, ${key} as sort_value, (${key})::text as sort_key from binding
     where owner_id = $1 and ${matches} and ${isInState} and ($3::uuid is null or (${isBeyond}))
     order by ${byKey}id ${direction} limit $4
  ) as page on true order by ${byKey}id ${direction}`;
}

/**
 * An account's bindings, by age or what else is asked for; all of them, or a page that begins after a cursor.
 * @throws Refusal ValidationFailed for a cursor that is none of ours, and for a search that PostgreSQL cannot hold.
 */
export async function listBindings(db: Database, quota: number, listing: Listing): Promise<Page> {
  const { ownerId, sort, order, first, after, isOn, domain } = listing;
  const wanted = checkText("search", listing.search ?? "", maxSearchCharacters);
  const position = after === undefined ? undefined : readCursor(after, order);
  const params = [
    ownerId,
    wanted,
    position?.id ?? null,
    // One more than asked for tells whether there is a next page.
    first === undefined ? null : first + 1,
    isOn ?? null,
    domain === undefined ? null : checkText("domain", domain, maxSearchCharacters).toLowerCase(),
    position?.key ?? null,
  ];
  const name = `bindings.page_${order}_${sort}`;
  const { rows } = await readAfterCursor(() => db.query<PageRow>(pageFrom(order, sort), params, { name }));
  const found = rows.filter((row): row is CountedBinding => row.id !== null);
  const page = found.slice(0, first);
  const last = page.at(-1);
  return {
    bindings: page.map(toProxyBinding),
    totalCount: rows[0]?.total ?? 0,
    nextCursor: last && found.length > page.length ? cursorOf(last) : null,
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

/** Where a page ends: the value that it is in the order of, and the id. */
function cursorOf({ id, sortKey }: CountedBinding): string {
  return Buffer.from(`${id}${sortKey === id ? "" : sortKey}`).toString("base64url");
}

const idCharacters = 36;
const keyForms = {
  created: /^$/,
  address: /^[^\0]+$/,
  received: /^\d{1,18}$/,
  "last-received": /^(?:-infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)$/,
} as const satisfies Record<Listing["order"], RegExp>;

function readCursor(cursor: string, order: Listing["order"]): { id: string; key: string } {
  const text = Buffer.from(cursor, "base64url").toString();
  const id = text.slice(0, idCharacters);
  const key = text.slice(idCharacters);
  if (!isId(id) || !keyForms[order].test(key)) throw invalidCursor();
  return { id, key: order === "created" ? id : key };
}
