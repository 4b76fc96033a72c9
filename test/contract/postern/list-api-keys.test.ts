import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { madeKey } from "../support/api-keys.ts";
import { keysPath } from "../support/declared-resources.ts";

test("200 with one's own, and never with a key itself", async () => {
  const anna = await newAccount("anna");
  await madeKey(await newAccount("bert"), { scopes: ["mail:read"] });
  for (const name of ["one", "two"]) await madeKey(anna, { name, scopes: ["mail:read"] });
  const { status, body, text } = await anna.ask("GET", keysPath);
  expect([status, Object.values(body["data"] ?? {}).map((key) => key?.["name"])]).toEqual([200, ["one", "two"]]);
  expect(text).not.toContain("psk_");
});
