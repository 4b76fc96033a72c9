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

const pathOf = (id: string) => `${domainsPath}/${id}/patterns`;

test("200 with none at first", async () => {
  const { id } = await addedDomain(anna);
  const { status, body } = await anna.ask("GET", pathOf(id));
  expect([status, body]).toEqual([200, { data: [] }]);
});

looksMissing({ who: () => anna, method: "GET", path: pathOf, foreignId: () => foreignId, file: "bindings" });
