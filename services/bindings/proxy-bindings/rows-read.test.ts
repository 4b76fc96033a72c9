import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { rowsRead } from "../../../test/support/peers/rows-read.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { newId } from "../../platform/ids.ts";
import { countBindings, listBindings } from "./list.ts";
import { indexSome } from "./search-index.ts";

const ownerId = newId();
const bindingCount = 2_000;
/** Far more than the five after which PostgreSQL may plan a prepared statement for the average owner. */
const calls = 20;
const first = 50;
/** So many that their searches take an index. */
const largeId = newId();
const largeCount = 6_000;
/** What a walk for a page looks at before the index is asked. */
const walkedCount = 2_000;
const filled = recordSet({ id: "uuid", ownerId: "uuid", index: "integer" });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({
    schema: "bindings",
    migrations: new URL("../migrations/", import.meta.url),
    poolSize: 1,
  });
  const ours = Array.from({ length: bindingCount }, () => ownerId);
  const others = Array.from({ length: 4 * bindingCount }, newId);
  const large = Array.from({ length: largeCount }, () => largeId);
  const rows = [...ours, ...others, ...large].map((each, index) => ({ id: newId(), ownerId: each, index }));
  const from = filled.from("filled");
  const params = filled.params(rows);
  await database.query(`insert into owner (id) select distinct owner_id from ${from}`, params);
  await database.query(
    `insert into binding (id, owner_id, proxy_address, proxy_address_key, description, callback_url, is_browsable, is_automatic, created_at, updated_at)
     select id, owner_id, 'shop' || index || '@a.example', 'shop' || index || '@a.example', '', '', true, false, now(), now() from ${from}`,
    params,
  );
  await database.query(
    `insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal)
     select id, id, owner_id, 'Real' || index || '@b.example', 'real' || index || '@b.example', true, false from ${from}`,
    params,
  );
  await database.query(
    `insert into used_on (binding_id, sites) select id, array['site' || index || '.example'] from ${from}`,
    params,
  );
  // It waits for transactions that began before, those of other databases as well.
  const indexed = "select from search_owner where owner_id = $1 and is_indexed";
  do while (await indexSome(database));
  while ((await database.query(indexed, [largeId])).rowCount === 0);
  await database.query("vacuum analyze");
});
afterAll(() => database.dispose());

const listing = { first, sort: "desc", order: "created", isCounted: true } as const;
const tables = ["binding", "real_address", "used_on", "binding_search"];

test.each([
  ["few have", "real123", 11],
  ["a label has", "SITE1999.", 1],
  ["none has", "nowhere", 0],
  ["all have", "shop", bindingCount],
  ["all have, of one character", "@", bindingCount],
])(
  "a search for what %s looks once at each of the account's addresses, and at nobody else's",
  async (_, search, total) => {
    const before = await rowsRead(database, tables);
    for (let call = 0; call < calls; call++) {
      const page = await listBindings(database, 1, { ...listing, ownerId, search });
      expect(page).toMatchObject({ totalCount: total, used: bindingCount });
      expect(page.bindings.length).toBe(Math.min(total, first));
    }
    const read = ((await rowsRead(database, tables)) - before) / calls;
    // Those of the account searched, and what the search looks at besides: real addresses and labels.
    expect(read).toBeLessThanOrEqual(3 * bindingCount + 4 * (first + 1));
  },
);

async function readBy(run: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(database, tables);
  for (let call = 0; call < calls; call++) await run();
  return ((await rowsRead(database, tables)) - before) / calls;
}

test.each(["created", "address"] as const)(
  "a page without a search counts nothing: those of the account are counted already, in the order of %s",
  async (order) => {
    const read = await readBy(async () => {
      const page = await listBindings(database, 1, { ...listing, order, ownerId: largeId });
      expect(page).toMatchObject({ totalCount: largeCount, used: largeCount });
    });
    const sorted = order === "created" ? 0 : largeCount;
    expect(read).toBeLessThanOrEqual(sorted + 3 * (first + 1));
  },
);

test.each([
  ["few have", "Real12345@", 1],
  ["a label has", "SITE15999.", 1],
  ["none has", "nowhere", 0],
])(
  "a search for what %s of very many looks at a bounded number of them, and at what the index says",
  async (_, search, total) => {
    const read = await readBy(async () => {
      const page = await listBindings(database, 1, { ...listing, ownerId: largeId, search });
      expect(page).toMatchObject({ totalCount: total, used: largeCount });
      expect(page.bindings.length).toBe(total);
    });
    expect(read).toBeLessThanOrEqual(3 * walkedCount + 4 * (first + 1));
  },
);

test("a page of what all of very many have ends with the page; who counts them looks at their texts once", async () => {
  const asked = { ...listing, ownerId: largeId, search: "shop" };
  const paged = await readBy(async () => {
    const page = await listBindings(database, 1, { ...asked, isCounted: false });
    expect(page).toMatchObject({ totalCount: null, nextCursor: expect.any(String) });
  });
  expect(paged).toBeLessThanOrEqual(walkedCount + 4 * (first + 1));
  const counted = await readBy(async () => expect(await countBindings(database, asked)).toBe(largeCount));
  expect(counted).toBeLessThanOrEqual(largeCount + 1);
});
