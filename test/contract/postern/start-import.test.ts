import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { freshAddress } from "../support/bindings.ts";
import { expectNotFound } from "../support/expect-not-found.ts";
import { importsPath, lookedAt, made } from "../support/imports.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = String((await lookedAt(await newAccount("bert"), "alias\na@sl.example\n"))["id"]);
});

interface Shown {
  address: string;
  description: string;
  targets: [string, boolean, boolean][];
}

async function shown(): Promise<Shown[]> {
  const { body } = await anna.ask("GET", "/api/v1/proxy-bindings");
  return Object.values(body["data"] ?? {}).map((each) => ({
    address: String(each?.["attributes"]?.["proxy_address"]),
    description: String(each?.["attributes"]?.["description"]),
    targets: Object.entries(each?.["attributes"]?.["real_addresses"] ?? {}).map(([address, target]) => [
      address,
      target?.["is_enabled"] as unknown as boolean,
      target?.["is_verified"] as unknown as boolean,
    ]),
  }));
}

test("202; what is on a domain of nobody's here gets a new address, and started again there is nothing to do", async () => {
  const own = freshAddress();
  const file = `alias,note,enabled,mailboxes\n${own},Kept,True,me@elsewhere.example\nx@sl.example,New,False,me@elsewhere.example\ny@sl.example,Mine,True,\n`;
  const { id } = await lookedAt(anna, file);
  const rows = await made(anna, id);
  expect(rows.map(({ old, state }) => [old, state])).toEqual([
    [own, "done"],
    ["x@sl.example", "done"],
    ["y@sl.example", "done"],
  ]);
  const [kept, renamed, mine] = rows.map((row) => String(row["new"]));
  expect(kept).toBe(own);
  for (const address of [renamed, mine]) expect(address).toMatch(/@postern\.localhost$/);
  const bindings = await shown();
  expect(bindings.find(({ address }) => address === kept)).toEqual({
    address: kept,
    description: "Kept",
    targets: [["me@elsewhere.example", true, false]],
  });
  expect(bindings.find(({ address }) => address === renamed)?.targets).toEqual([
    ["me@elsewhere.example", false, false],
  ]);
  // The account's own address, which is verified.
  expect(bindings.find(({ address }) => address === mine)?.targets).toEqual([[anna.username, true, true]]);
  await made(anna, id);
  expect(await shown()).toHaveLength(bindings.length);
});

test("without new addresses what would get one is left, until it is started again", async () => {
  const { id } = await lookedAt(anna, "alias\nleft@sl.example\n");
  expect(await made(anna, id, { makesNewAddresses: false })).toEqual([
    expect.objectContaining({ state: "left", new: null }),
  ]);
  expect(await made(anna, id, { makesNewAddresses: true })).toEqual([expect.objectContaining({ state: "done" })]);
});

test("409 while it is read", async () => {
  const access = { source: "simplelogin-api", baseUrl: "https://nowhere.example", key: "k" };
  const { body } = await anna.ask("POST", importsPath, access);
  expect((await anna.ask("POST", `${importsPath}/${body["data"]?.["id"]}/start`, {})).status).toBe(409);
});

expectNotFound({
  who: () => anna,
  method: "POST",
  path: (id) => `${importsPath}/${id}/start`,
  foreignId: () => foreignId,
  file: "bindings",
  body: {},
});
