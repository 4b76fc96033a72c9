import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { putRule, rulesPath } from "../support/declared-resources.ts";

test("200 with one's own, in their order", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  await putRule(bert, { name: "his" });
  for (const name of ["one", "two"]) await putRule(anna, { name });
  await putRule(anna, { name: "zero", position: 0 });
  const { status, body } = await anna.ask("GET", rulesPath);
  expect([status, Object.values(body["data"] ?? {}).map((rule) => rule?.["name"])]).toEqual([
    ...[200, ["zero", "one", "two"]],
  ]);
});
