import { beforeAll, expect, test } from "@jest/globals";
import { addedDomain, domainsPath } from "../support/domains.ts";
import { looksMissing } from "../support/missing.ts";
import { newcomer, type Person } from "../support/people.ts";

let anna: Person;
let foreignId: string;
beforeAll(async () => {
  anna = await newcomer("anna");
  foreignId = (await addedDomain(await newcomer("bert"))).id;
});

test("204, and it is gone", async () => {
  const { id } = await addedDomain(anna);
  const removed = await anna.ask("DELETE", `${domainsPath}/${id}`);
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await anna.ask("GET", `${domainsPath}/${id}`)).status).toBe(404);
});

looksMissing({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${domainsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
