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

test("204, and it is gone", async () => {
  const { id } = await lookedAt(anna, "alias\nx@sl.example\n");
  const removed = await anna.ask("DELETE", `${importsPath}/${id}`);
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await anna.ask("GET", `${importsPath}/${id}`)).status).toBe(404);
});

expectNotFound({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${importsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
