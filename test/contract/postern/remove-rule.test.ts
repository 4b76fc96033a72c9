import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { putRule, rulesPath } from "../support/declared-resources.ts";

test("204, then 404; 404 for somebody else's", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const { body } = await putRule(anna);
  const path = `${rulesPath}/${String(body["data"]?.["id"])}`;
  expect((await bert.ask("DELETE", path)).status).toBe(404);
  expect((await anna.ask("DELETE", path)).status).toBe(204);
  expect((await anna.ask("DELETE", path)).status).toBe(404);
});
