import type { Listing } from "./contract.ts";
import { totalOfOwner, usedOfOwner } from "./quota.ts";
import { bindingColumns } from "./rows.ts";

// What lists take: $1 the account, $2 the search, $3 the id and $7 the key that the page begins after, $4 how many, $5 and $6 the
// state and the domain, $8 whether all are counted.

type Order = Listing["order"];

/** What pages can be in the order of: a column, and its type. Where two are alike, age decides. */
const orders = {
  created: { key: "id", type: "uuid" },
  address: { key: 'proxy_address_key collate "C"', type: "text" },
  received: { key: "received_emails", type: "bigint" },
  "last-received": { key: "coalesce(last_received_at, '-infinity')", type: "timestamptz" },
} as const satisfies Record<Order, { key: string; type: string }>;

/**
 * Case-insensitive, in the proxy address, the description, the labels and the real addresses. The real addresses are told by their
 * owner, and the labels asked for one by one, since PostgreSQL may else look through those of all accounts.
 */
const matches = `(strpos(lower(proxy_address), (select lower($2))) > 0 or strpos(lower(description), (select lower($2))) > 0
  or exists (select from real_address where owner_id = $1 and binding_id = binding.id and strpos(lower(address), (select lower($2))) > 0)
  or (select bool_or(strpos(lower(site), lower($2)) > 0) from used_on, unnest(sites) as site where binding_id = binding.id))`;

/** On: at least one of its real addresses is, or the reserved one of a binding that forwards to nobody, which takes mail all the same. */
const isInState = `($5::boolean is null or $5 = exists (select from real_address where binding_id = binding.id and is_enabled))
  and ($6::text is null or split_part(proxy_address_key, '@', 2) = $6)`;

/** Bindings that a walk looks at before an index is asked. */
const maxWalked = 2_000;
/** Of a search; more would narrow nothing down. */
const maxGramCharacters = 32;

/** How a search finds what matches: by looking at each binding, by the index of trigrams, or by all texts that are kept for it. */
export type SearchWay = "each" | "grams" | "texts";

const candidates = {
  // Materialized, so that no other index is taken for a condition that this one answers alone.
  grams: `candidate as materialized (select owner_id, binding_id, searched from binding_search
     where search_grams(owner_id, searched) @> (select search_grams($1, left(lower($2), ${maxGramCharacters}))))`,
  texts:
    "candidate as not materialized (select owner_id, binding_id, searched from binding_search where owner_id = $1)",
};

/** `found (id)`: all that match, whatever their state. What has changed since it was indexed is looked at itself. */
function found(way: SearchWay): string {
  if (way === "each") return `found as not materialized (select id from binding where owner_id = $1 and ${matches})`;
  return `changed as materialized (select distinct binding_id as id from search_change where owner_id = $1), ${candidates[way]},
  found as not materialized (
    select binding_id as id from candidate
     where owner_id = $1 and strpos(searched, (select lower($2) collate "C")) > 0 and binding_id not in (select id from changed)
    union all
    select id from binding where id in (select id from changed) and owner_id = $1 and ${matches})`;
}

/** `matched (id, sort_value)`. The index knows ids alone: what is asked of the bindings beside them is looked up. */
function matched(order: Order, way: SearchWay, isFiltered: boolean): string {
  if (way === "each")
    return `matched as materialized (select id, ${orders[order].key} as sort_value from binding where owner_id = $1 and ${matches} and ${isInState})`;
  if (order === "created" && !isFiltered)
    return `${found(way)}, matched as materialized (select id, id as sort_value from found)`;
  return `${found(way)}, matched as materialized (
    select id, ${orders[order].key} as sort_value from binding where id in (select id from found) and ${isInState})`;
}

// Ids are unique, so they need no second column to break ties; so written, the index gives them in order.
function isAfter(order: Order, direction: Listing["sort"], value: string): string {
  const beyond = direction === "asc" ? ">" : "<";
  const condition =
    order === "created"
      ? `$7::uuid = $3 and id ${beyond} $3`
      : `(${value}, id) ${beyond} ($7::${orders[order].type}, $3)`;
  return `($3::uuid is null or (${condition}))`;
}

const inOrder = (order: Order, direction: Listing["sort"]) =>
  `order by ${order === "created" ? "" : `sort_value ${direction}, `}id ${direction}`;

const sortColumns = (order: Order) =>
  order === "created" ? "" : `, ${orders[order].key} as sort_value, (${orders[order].key})::text as sort_key`;

const page = (order: Order, condition: string) =>
  `select ${bindingColumns}${sortColumns(order)} from binding where owner_id = $1 and ${condition}`;

/** A page and the counts, in one statement: round trips are most of the cost of a small answer. */
export function pageStatement(order: Order, direction: Listing["sort"]): string {
  return `select * from (
    select case when $5::boolean is null and $6::text is null then ${totalOfOwner}
                when $8::boolean and $2 = '' then (select count(*)::int from binding where owner_id = $1 and ${isInState}) end as total,
           ${usedOfOwner} as used
  ) as counted left join lateral (
    ${page(order, `${isInState} and ${isAfter(order, direction, orders[order].key)}`)} ${inOrder(order, direction)} limit $4
  ) as page on true ${inOrder(order, direction)}`;
}

/** The same of a search, which looks at each binding once, for the count and the page. */
export function searchStatement(order: Order, direction: Listing["sort"], way: SearchWay, isFiltered: boolean): string {
  const sorted = inOrder(order, direction);
  return `with ${matched(order, way, isFiltered)}
  select * from (select (select count(*)::int from matched) as total, ${usedOfOwner} as used
    where $8::boolean is not null and ($5::boolean is null or true) and ($6::text is null or true)) as counted left join lateral (
    ${page(order, `id = any (array(select id from matched where ${isAfter(order, direction, "sort_value")} ${sorted} limit $4))`)}
  ) as page on true ${sorted}`;
}

/**
 * A page of those that a walk in the order of age finds among the next few; where it is full, no more have to be looked at.
 * By `offset 0` each of these few is looked up; else all may be read and sorted.
 */
export function walkStatement(direction: Listing["sort"]): string {
  const sorted = inOrder("created", direction);
  return `select *, null as total, ${usedOfOwner} as used from (
    ${page(
      "created",
      `id = any (array(select binding.id from (select id from binding where owner_id = $1 and ${isAfter("created", direction, "id")} ${sorted} limit ${maxWalked}) as walked,
         lateral (select * from binding where id = walked.id offset 0) as binding
        where ${matches} and ${isInState} and $8::boolean is not null order by binding.id ${direction} limit $4))`,
    )}) as page ${sorted}`;
}

/** How many a search finds; the parameters of a page are named, so that it takes the same. */
export function countStatement(way: SearchWay, isFiltered: boolean): string {
  const unused = "$3::uuid is null and $7::text is null and $4::int is null and $8::boolean";
  if (isFiltered || way === "each")
    return `with ${matched("created", way, isFiltered)} select count(*) as total from matched where ${unused}`;
  return `with ${found(way)} select count(*) as total from found where ${unused} and ($5::boolean is null and $6::text is null)`;
}
