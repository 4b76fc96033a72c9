import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { bindingsOf, freshAddress, madeBinding } from "../support/bindings.ts";
import { importRows, importsPath, lookedAt } from "../support/imports.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const header = "alias,note,enabled,mailboxes";

test("201 with what it read, and nothing is made", async () => {
  const before = await bindingsOf(anna);
  const { proxyAddress } = await madeBinding(anna);
  const own = freshAddress();
  const file = `${header}\n${own},"Shop, ""the""",True,me@example.org you@example.org\nx@sl.example,,False,me@example.org\n${proxyAddress},,True,\nnone,,True,\n${own.toUpperCase()},,True,\n`;
  const job = await lookedAt(anna, file);
  expect(job).toMatchObject({
    source: "simplelogin",
    state: "checked",
    total: 5,
    done: 0,
    fault: "",
    finishedAt: null,
  });
  const rows = await importRows(anna, job["id"]);
  expect(rows.map(({ old, verdict }) => [old, verdict])).toEqual([
    [own, "same"],
    ["x@sl.example", "new"],
    [proxyAddress, "exists"],
    ["none", "refused"],
    [own.toUpperCase(), "refused"],
  ]);
  expect(rows.every((row) => String(row["state"]) === "waiting" && String(row["new"]) === "null")).toBe(true);
  expect(Object.keys((await bindingsOf(anna))["data"] ?? {})).toHaveLength(
    Object.keys(before["data"] ?? {}).length + 1,
  );
});

test.each([
  [
    "addy",
    "id,email,active,description,from_name,recipients,deleted_at\n1,a@addy.example,1,Note,Name,me@example.org,\n2,b@addy.example,1,,,,2024-01-01\n",
  ],
  ["relay", "\ufeffDescription,Full address,Enabled\nNote,a@relay.example,true\n"],
])("the file of %s is read by the names of its columns", async (source, file) => {
  const job = await lookedAt(anna, file, source);
  expect(await importRows(anna, job["id"])).toEqual([
    expect.objectContaining({ kind: "address", old: `a@${source}.example`, verdict: "new" }),
  ]);
});

test.each<[object, string]>([
  [{ source: "gmail" }, "source"],
  [{ source: "simplelogin" }, "content"],
  [{ source: "simplelogin", content: "" }, "content"],
  [{ source: "simplelogin", content: "name,note\na,b\n" }, "content"],
  [{ source: "postern", content: "{" }, "content"],
  [{ source: "postern", content: "{}" }, "content"],
  [{ source: "simplelogin-api", baseUrl: "ftp://sl.example", key: "k" }, "baseUrl"],
  [{ source: "simplelogin-api", baseUrl: "https://user:pass@sl.example", key: "k" }, "baseUrl"],
  [{ source: "simplelogin-api", baseUrl: "https://sl.example", key: "a\r\nX: y" }, "key"],
])("422 for %j names the member %s", async (body, member) => {
  const { status, text } = await anna.ask("POST", importsPath, body);
  expect([status, text]).toEqual([422, expect.stringContaining(`${member}:`)]);
});
