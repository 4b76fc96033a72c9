import { expect, test } from "@jest/globals";
import { madeKey } from "../support/api-keys.ts";
import { keysPath } from "../support/declared-resources.ts";
import { newcomer } from "../support/people.ts";

test("200 with one's own, and never with a key itself", async () => {
  const anna = await newcomer("anna");
  await madeKey(await newcomer("bert"), { scopes: ["mail:read"] });
  for (const name of ["one", "two"]) await madeKey(anna, { name, scopes: ["mail:read"] });
  const { status, body, text } = await anna.ask("GET", keysPath);
  expect([status, Object.values(body["data"] ?? {}).map((key) => key?.["name"])]).toEqual([200, ["one", "two"]]);
  expect(text).not.toContain("psk_");
});
