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

test("200 with how far it is", async () => {
  const { id } = await lookedAt(anna, "alias\nx@sl.example\n");
  const { status, body } = await anna.ask("GET", `${importsPath}/${id}`);
  expect([status, body["data"]]).toEqual([200, expect.objectContaining({ id, state: "checked", total: 1, done: 0 })]);
});

expectNotFound({
  who: () => anna,
  method: "GET",
  path: (id) => `${importsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
