import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";

const path = "/api/postern/v1/webhook";

test("404 where there is none, also where another account has one; 200 with it", async () => {
  const [anna, bert] = [await newAccount("anna"), await newAccount("bert")];
  await anna.ask("PUT", path, { url: "https://hook.example/" });
  const { status, body } = await anna.ask("GET", path);
  expect([status, body]).toEqual([
    200,
    { data: { url: "https://hook.example/", kinds: [], bindingIds: [], off: null } },
  ]);
  expect((await bert.ask("GET", path)).status).toBe(404);
});
