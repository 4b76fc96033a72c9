import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { madeKey } from "../support/api-keys.ts";
import { keysPath } from "../support/declared-resources.ts";

test("200 by its id and by its name; 404 for none, and somebody else's", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const { id } = await madeKey(anna, { name: "a name", scopes: ["mail:read"] });
  for (const name of [id, "a%20name"]) {
    const { status, body } = await anna.ask("GET", `${keysPath}/${name}`);
    expect([status, body["data"]]).toMatchObject([200, { id, name: "a name", scopes: ["mail:read"] }]);
    expect((await bert.ask("GET", `${keysPath}/${name}`)).status).toBe(404);
  }
});
