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

test("200 with the domain", async () => {
  const { id, domain } = await addedDomain(anna);
  const { status, body } = await anna.ask("GET", `${domainsPath}/${id}`);
  expect(status).toBe(200);
  expect(Object.keys(body["data"] ?? {}).sort()).toEqual(Object.keys(domain).sort());
  expect(body["data"]).toMatchObject({ id, name: domain["name"] });
});

looksMissing({
  who: () => anna,
  method: "GET",
  path: (id) => `${domainsPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
