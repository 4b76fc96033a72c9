import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { madeBinding } from "../support/bindings.ts";

test("200 by id and by address; 404 for a subaddress, and for somebody else's", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const { id, proxyAddress } = await madeBinding(anna);
  const path = "/api/postern/v1/addresses";
  for (const name of [id, proxyAddress])
    expect((await anna.ask("GET", `${path}/${name}`)).body["data"]).toMatchObject({ id, proxyAddress });
  expect((await anna.ask("GET", `${path}/${proxyAddress.replace("@", "+tag@")}`)).status).toBe(404);
  for (const name of [id, proxyAddress]) expect((await bert.ask("GET", `${path}/${name}`)).status).toBe(404);
});
