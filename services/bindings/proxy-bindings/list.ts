import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import type { BindingPage } from "../contract.ts";
import { checkText, invalidCursor, readAfterCursor } from "../validation.ts";
import type { Listing } from "./contract.ts";
import { countStatement, pageStatement, type SearchWay, searchStatement, walkStatement } from "./list-statements.ts";
import { type BindingRow, noSuchBinding, type ProxyBinding, selectBindings, toProxyBinding } from "./rows.ts";
import { textEnd } from "./search-index.ts";

type Page = z.output<typeof BindingPage>;

const maxSearchCharacters = 1_000;
const gramCharacters = 3;

interface Counts {
  /** Null where it is not known. */
  total: number | null;
  used: number;
}
/** In the order of age it is the id that a page begins after. */
type CountedBinding = Counts & BindingRow & { sortKey?: string };
/** An empty page is one row with the counts alone. */
type PageRow = CountedBinding | (Counts & { id: null });

/**
 * An account's bindings, by age or what else is asked for; all of them, or a page that begins after a cursor.
 * @throws Refusal ValidationFailed for a cursor that is none of ours, and for a search that PostgreSQL cannot hold.
 */
export async function listBindings(db: Database, quota: number, listing: Listing): Promise<Page> {
  const params = paramsOf(listing);
  const rows = await readAfterCursor(() => (params[1] === "" ? readPage : search)(db, listing, params));
  const found = rows.filter((row): row is CountedBinding => row.id !== null);
  const page = found.slice(0, listing.first);
  const last = page.at(-1);
  return {
    bindings: page.map(toProxyBinding),
    totalCount: rows[0]?.total ?? null,
    nextCursor: last && found.length > page.length ? cursorOf(last) : null,
    used: rows[0]?.used ?? 0,
    available: quota,
  };
}

/** How many a list holds in all. @throws Refusal ValidationFailed, as for the list */
export async function countBindings(db: Database, listing: Listing): Promise<number> {
  const { order: _order, after: _after, ...all } = listing;
  const counted: Listing = { ...all, order: "created", isCounted: true };
  const params = paramsOf({ ...counted, first: 1 });
  if (params[1] === "") return (await readPage(db, counted, params))[0]?.total ?? 0;
  return countMatches(db, params, await wayOf(db, params));
}

type Params = [
  ownerId: string,
  search: string,
  id: string | null,
  limit: number | null,
  isOn: boolean | null,
  domain: string | null,
  key: string | null,
  isCounted: boolean,
];

function paramsOf({ ownerId, order, first, after, isOn, domain, search: wanted, isCounted }: Listing): Params {
  const position = after === undefined ? undefined : readCursor(after, order);
  return [
    ownerId,
    checkText("search", wanted ?? "", maxSearchCharacters),
    position?.id ?? null,
    // One more than asked for tells whether there is a next page.
    first === undefined ? null : first + 1,
    isOn ?? null,
    domain === undefined ? null : checkText("domain", domain, maxSearchCharacters).toLowerCase(),
    position?.key ?? null,
    isCounted,
  ];
}

async function readPage(db: Database, { order, sort }: Listing, params: Params): Promise<PageRow[]> {
  const options = { name: `bindings.page_${order}_${sort}`, gathered: true };
  return (await db.query<PageRow>(pageStatement(order, sort), params, options)).rows;
}

/**
 * What many have is found by a walk that ends with the page, so that all of it is looked at only to be counted; what few have, by the
 * index, if there is one.
 */
async function search(db: Database, { order, sort, isCounted }: Listing, params: Params): Promise<PageRow[]> {
  const way = await wayOf(db, params);
  const limit = params[3];
  if (way !== "each" && order === "created" && limit !== null) {
    const { rows } = await db.query<PageRow>(walkStatement(sort), params, {
      name: `bindings.walk_${sort}`,
      // For the average account all would be sorted.
      unprepared: true,
    });
    if (rows.length === limit) {
      const total = isCounted ? await countMatches(db, params, "texts") : null;
      return rows.map((row) => Object.assign(row, { total }));
    }
  }
  const isFiltered = isFilteredBy(params);
  const name = `bindings.search_${way}_${order}_${sort}${isFiltered ? "_filtered" : ""}`;
  const statement = searchStatement(order, sort, way, isFiltered);
  return (await db.query<PageRow>(statement, params, { name, unprepared: way !== "each" })).rows;
}

async function countMatches(db: Database, params: Params, way: SearchWay): Promise<number> {
  const isFiltered = isFilteredBy(params);
  const name = `bindings.count_${way}${isFiltered ? "_filtered" : ""}`;
  const [ownerId, wanted, , , isOn, domain] = params;
  const asked = [ownerId, wanted, null, null, isOn, domain, null, true];
  const { rows } = await db.query<{ total: number }>(countStatement(way, isFiltered), asked, {
    name,
    unprepared: way !== "each",
  });
  return rows[0]?.total ?? 0;
}

const isFilteredBy = ([, , , , isOn, domain]: Params) => isOn !== null || domain !== null;

/** Trigrams are of three characters, and an index is there for large accounts alone. */
async function wayOf(db: Database, [ownerId, wanted]: Params): Promise<SearchWay> {
  if (wanted.includes(textEnd)) return "each";
  const { rowCount } = await db.query("select from search_owner where owner_id = $1 and is_indexed", [ownerId], {
    name: "bindings.indexed",
  });
  if (rowCount === 0) return "each";
  return [...wanted].length < gramCharacters ? "texts" : "grams";
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
function cursorOf({ id, sortKey = "" }: CountedBinding): string {
  return Buffer.from(`${id}${sortKey}`).toString("base64url");
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
