import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { expectNotFound } from "../support/expect-not-found.ts";
import { importsPath, lookedAt } from "../support/imports.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = String((await lookedAt(await newAccount("bert"), "alias\na@sl.example\n"))["id"]);
});

test("200 with the rows, some at a time", async () => {
  const addresses = Array.from({ length: 501 }, (_, at) => `a${at}@sl.example`);
  const { id } = await lookedAt(anna, `alias\n${addresses.join("\n")}\n`);
  const path = `${importsPath}/${id}/rows`;
  const first = await anna.ask("GET", path);
  const rest = await anna.ask("GET", `${path}?after=${first.body["next"]}`);
  const olds = [first, rest].flatMap(({ body }) => Object.values(body["data"] ?? {}).map((row) => row?.["old"]));
  expect([olds, rest.body["next"]]).toEqual([addresses, undefined]);
});

test("422 for what is no cursor", async () => {
  const { id } = await lookedAt(anna, "alias\nx@sl.example\n");
  for (const after of ["x", "-1", "1e3"])
    expect((await anna.ask("GET", `${importsPath}/${id}/rows?after=${after}`)).status).toBe(422);
});

expectNotFound({
  who: () => anna,
  method: "GET",
  path: (id) => `${importsPath}/${id}/rows`,
  foreignId: () => foreignId,
  file: "bindings",
});
