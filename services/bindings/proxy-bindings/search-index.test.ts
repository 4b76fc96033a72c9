import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";
import { indexSome } from "./search-index.ts";

let bindings: BindingsUnderTest;
let ownerId: string;

beforeAll(async () => {
  bindings = await startBindings({ QUOTA_BINDINGS: "100" });
  ownerId = bindings.account();
  for (const name of ["one", "two", "three"]) await make(name);
  // As if there were thousands.
  await bindings.db.query("update binding_count set is_noted = true where owner_id = $1", [ownerId]);
  await indexAll();
});

afterAll(() => bindings.stop());

async function make(name: string) {
  const { binding } = await bindings.client.create({
    ownerId,
    proxyAddress: `${name}.${ownerId}@${serviceDomain}`,
    description: `for ${name}`,
    realAddresses: [`To-${name}@example.org`],
  });
  return binding;
}

async function indexAll() {
  do while (await indexSome(bindings.db));
  while (!(await isIndexed()));
}

async function isIndexed() {
  const { rows } = await bindings.db.query(
    `select from search_owner where owner_id = $1 and is_indexed and not exists (select from search_change)`,
    [ownerId],
  );
  return rows.length > 0;
}

async function found(search: string, more: object = {}) {
  const page = await bindings.client.list({ ownerId, search, first: 50, ...more });
  const { totalCount } = await bindings.client.count({ ownerId, search, first: 50, ...more });
  expect(page).toMatchObject({ totalCount });
  expect(page.bindings).toHaveLength(totalCount);
  return page.bindings.map(({ proxyAddress }) => proxyAddress.split(".")[0]);
}

const ways: [string, () => Promise<void>][] = [
  ["before the index has followed", async () => undefined],
  ["once it has", indexAll],
];

test.each(["TWO", "for two", "to-two@", "tw"])("%s is found by the index, without case", async (search) => {
  expect(await found(search)).toEqual(["two"]);
  for (const order of ["address", "received", "last-received"]) expect(await found(search, { order })).toEqual(["two"]);
  expect(await found(search, { isOn: true })).toEqual(["two"]);
  expect(await found(search, { isOn: false })).toEqual([]);
  expect(await found(search, { domain: serviceDomain })).toEqual(["two"]);
  expect(await found(search, { domain: "other.example" })).toEqual([]);
});

test.each(["o", "for ", "example.org", "%", "_", "ne\u0001", "", "nowhere"])(
  "what has %j is what it was without an index",
  async (search) => {
    const indexed = await found(search);
    await bindings.db.query("update search_owner set is_indexed = false where owner_id = $1", [ownerId]);
    expect(await found(search)).toEqual(indexed);
    await bindings.db.query("update search_owner set is_indexed = true where owner_id = $1", [ownerId]);
  },
);

test("texts do not run into one another", async () => {
  expect(await found(`${serviceDomain}for two`)).toEqual([]);
});

test.each(ways)("what is made, changed and removed is found as it is, %s", async (_, follow) => {
  const { id, proxyAddress } = await make("shop");
  await follow();
  expect(await found("shop")).toEqual(["shop"]);
  await bindings.client.update({
    ownerId,
    id,
    description: "Bücherladen",
    realAddresses: [{ address: "ELSEWHERE@example.net", isEnabled: true }],
  });
  await follow();
  expect(await found("BÜCHER")).toEqual(["shop"]);
  expect(await found("elsewhere@")).toEqual(["shop"]);
  expect(await found("to-shop@")).toEqual([]);
  await bindings.client.setWebsites({ ownerId, bindingId: id, sites: ["Market.example"] });
  await follow();
  expect(await found("market.")).toEqual(["shop"]);
  expect(await found("hop.")).toEqual(["shop"]);
  await bindings.client.remove({ ownerId, id });
  await follow();
  expect(await found(proxyAddress)).toEqual([]);
  expect(await found("market.")).toEqual([]);
});

test("nothing of a removed address is left in the index", async () => {
  const { id } = await make("gone");
  await indexAll();
  await bindings.client.remove({ ownerId, id });
  await indexAll();
  const { rows } = await bindings.db.query("select from binding_search where binding_id = $1", [id]);
  expect(rows).toEqual([]);
});

test("what is kept of the number of bindings is their number", async () => {
  const { rows } = await bindings.db.query<{ isRight: boolean }>(
    `select (select count(*) from binding where owner_id = $1) = total and automatic = 0 as is_right from binding_count where owner_id = $1`,
    [ownerId],
  );
  expect(rows).toEqual([{ isRight: true }]);
});

test("bindings from before are counted where none is made, and taken over by those made at once", async () => {
  await bindings.db.query("delete from binding_count where owner_id = $1", [ownerId]);
  expect(await bindings.client.list({ ownerId })).toMatchObject({ totalCount: 3, used: 3 });
  const made = await Promise.all(["left", "right", "middle"].map(make));
  expect(await bindings.client.list({ ownerId })).toMatchObject({ totalCount: 6, used: 6 });
  for (const { id } of made) await bindings.client.remove({ ownerId, id });
  await bindings.db.query("delete from binding_count where owner_id = $1", [ownerId]);
  await bindings.db.query(
    "update search_work set is_counted = false, counted_to = '00000000-0000-0000-0000-000000000000'",
  );
  await indexAll();
  const { rows } = await bindings.db.query("select total from binding_count where owner_id = $1", [ownerId]);
  expect(rows).toEqual([{ total: 3 }]);
});

test("a closed account leaves nothing in the index", async () => {
  await indexAll();
  const kept = async () => {
    const tables = ["binding_search", "search_owner", "binding_count"].map((table) =>
      bindings.db.query(`select from ${table} where owner_id = $1`, [ownerId]),
    );
    return (await Promise.all(tables)).map(({ rowCount }) => rowCount);
  };
  expect(await kept()).toEqual([3, 1, 1]);
  await bindings.hear(topics.accountClosed, { accountId: ownerId });
  expect(await kept()).toEqual([0, 0, 0]);
});
