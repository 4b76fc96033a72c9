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

const pathOf = (id: string) => `${domainsPath}/${id}/patterns`;

test("200 with none at first", async () => {
  const { id } = await addedDomain(anna);
  const { status, body } = await anna.ask("GET", pathOf(id));
  expect([status, body]).toEqual([200, { data: [] }]);
});

expectNotFound({ who: () => anna, method: "GET", path: pathOf, foreignId: () => foreignId, file: "bindings" });
