import { expect, test } from "@jest/globals";
import { putRule, rulesPath } from "../support/declared-resources.ts";
import { newcomer } from "../support/people.ts";

test("204, then 404; 404 for somebody else's", async () => {
  const [anna, bert] = await Promise.all([newcomer("anna"), newcomer("bert")]);
  const { body } = await putRule(anna);
  const path = `${rulesPath}/${String(body["data"]?.["id"])}`;
  expect((await bert.ask("DELETE", path)).status).toBe(404);
  expect((await anna.ask("DELETE", path)).status).toBe(204);
  expect((await anna.ask("DELETE", path)).status).toBe(404);
});
