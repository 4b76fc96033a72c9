import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";

const path = "/api/postern/v1/webhook";

test("204 whether there is one or not", async () => {
  const anna = await newAccount("anna");
  await anna.ask("PUT", path, { url: "https://hook.example/" });
  const statuses: number[] = [];
  for (const method of ["DELETE", "GET", "DELETE"]) statuses.push((await anna.ask(method, path)).status);
  expect(statuses).toEqual([204, 404, 204]);
});
