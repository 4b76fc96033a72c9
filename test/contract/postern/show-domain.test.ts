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

test("200 with the domain", async () => {
  const { id, domain } = await addedDomain(anna);
  const { status, body } = await anna.ask("GET", `${domainsPath}/${id}`);
  expect(status).toBe(200);
  expect(Object.keys(body["data"] ?? {}).sort()).toEqual(Object.keys(domain).sort());
  expect(body["data"]).toMatchObject({ id, name: domain["name"] });
});

expectNotFound({
  who: () => anna,
  method: "GET",
  path: (id) => `${domainsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
