import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { addedDomain, domainsPath } from "../support/domains.ts";
import { expectNotFound } from "../support/expect-not-found.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = (await addedDomain(await newAccount("bert"))).id;
});

test("204, and it is gone", async () => {
  const { id } = await addedDomain(anna);
  const removed = await anna.ask("DELETE", `${domainsPath}/${id}`);
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await anna.ask("GET", `${domainsPath}/${id}`)).status).toBe(404);
});

expectNotFound({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${domainsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
