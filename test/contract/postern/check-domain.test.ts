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

const pathOf = (id: string) => `${domainsPath}/${id}/check`;

test("200 with what name servers answered; 429 with Retry-After after 20 of them", async () => {
  const { id } = await addedDomain(anna);
  for (let count = 0; count < 20; count++) {
    const { status, body } = await anna.ask("POST", pathOf(id));
    expect(status).toBe(200);
    // No name server answers this installation.
    expect(body["data"]).toMatchObject({ id, state: "unverified" });
  }
  const refused = await anna.ask("POST", pathOf(id));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
});

expectNotFound({ who: () => anna, method: "POST", path: pathOf, foreignId: () => foreignId, file: "bindings" });
