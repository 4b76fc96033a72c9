import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { madeBinding } from "../support/bindings.ts";

test("204 by id and by address, once; 404 for somebody else's", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const [one, other] = [await madeBinding(anna), await madeBinding(anna)];
  const path = "/api/postern/v1/addresses";
  for (const name of [one.id, other.proxyAddress]) {
    expect((await bert.ask("DELETE", `${path}/${name}`)).status).toBe(404);
    expect((await anna.ask("DELETE", `${path}/${name}`)).status).toBe(204);
    expect((await anna.ask("DELETE", `${path}/${name}`)).status).toBe(404);
  }
});
