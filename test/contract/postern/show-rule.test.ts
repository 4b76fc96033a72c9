import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { putRule, rulesPath } from "../support/declared-resources.ts";

test("200 with what was put; 404 for none, and somebody else's", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const { body } = await putRule(anna, { name: "mine" });
  const id = String(body["data"]?.["id"]);
  const found = await anna.ask("GET", `${rulesPath}/${id}`);
  expect([found.status, found.body]).toEqual([200, body]);
  for (const other of [randomUUID(), "first"])
    expect((await anna.ask("GET", `${rulesPath}/${other}`)).status).toBe(404);
  expect((await bert.ask("GET", `${rulesPath}/${id}`)).status).toBe(404);
});
