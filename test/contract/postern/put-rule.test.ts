import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { freshAddress, madeBinding } from "../support/bindings.ts";
import { putRule, rulesPath } from "../support/declared-resources.ts";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

test("201 with a new rule, then 200 and nothing is changed; what is left out is as a new one has it", async () => {
  const id = randomUUID();
  const { id: bindingId, proxyAddress } = await madeBinding(anna);
  const wanted = {
    name: "No newsletters",
    binding: proxyAddress.toUpperCase(),
    ...{
      conditions: { listIds: ["news.shop.example"] },
      actions: { discard: true },
      expiresAt: "2099-01-01T00:00:00Z",
    },
  };
  const first = await putRule(anna, wanted, id);
  expect([first.status, first.body["data"]]).toEqual([
    201,
    expect.objectContaining({ id, bindingId, domainId: null, position: 0, name: "No newsletters", hits: 0 }),
  ]);
  const again = await putRule(anna, { ...wanted, binding: bindingId }, id.toUpperCase());
  expect([again.status, again.body]).toEqual([200, first.body]);
  const { body } = await putRule(anna, { binding: bindingId }, id);
  expect(body["data"]).toMatchObject({ id, name: "", conditions: {}, actions: {}, expiresAt: null });
});

test("404 for an address that is somebody else's or none, 422 for an id that is no UUID and for two scopes", async () => {
  const theirs = await madeBinding(await newAccount("bert"));
  for (const binding of [theirs.id, theirs.proxyAddress, freshAddress(), "x"])
    expect((await putRule(anna, { binding })).status).toBe(404);
  expect((await putRule(anna, { domain: "nobodys.example" })).status).toBe(404);
  expect((await anna.ask("PUT", `${rulesPath}/first`, {})).status).toBe(422);
  expect((await putRule(anna, { conditions: { senders: [1] } })).status).toBe(422);
});
