import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { addedDomain, domainsPath } from "../support/domains.ts";
import { expectNotFound } from "../support/expect-not-found.ts";

let anna: TestAccount;
let foreignId: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  foreignId = (await addedDomain(await newAccount("bert"))).id;
});

const pathOf = (id: string) => `${domainsPath}/${id}/patterns`;

test("200 with the new list, which takes the place of the former one", async () => {
  const { id } = await addedDomain(anna);
  const refusing = { glob: "spam-*", targets: [], creates: false, perHour: 5 };
  await anna.ask("PUT", pathOf(id), { patterns: [{ glob: "x" }] });
  const { status, body } = await anna.ask("PUT", pathOf(id), { patterns: [refusing, { glob: "*" }] });
  const whole = { data: [refusing, { glob: "*", targets: [], creates: true, perHour: 20 }] };
  expect([status, body]).toEqual([200, whole]);
  expect((await anna.ask("GET", pathOf(id))).body).toEqual(whole);
});

test.each([
  [{}, "patterns"],
  [{ patterns: "*" }, "patterns"],
  [{ patterns: [{}] }, "patterns[0].glob"],
  [{ patterns: [{ glob: "{" }] }, "patterns[0].glob"],
  [{ patterns: [{ glob: "*", targets: ["a@elsewhere.example"] }] }, "patterns[0].targets[0]"],
  [{ patterns: [{ glob: "*", perHour: 0 }] }, "patterns[0].perHour"],
])("422 for %j", async (body, member) => {
  const { id } = await addedDomain(anna);
  const answer = await anna.ask("PUT", pathOf(id), body);
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(member)]);
});

expectNotFound({
  who: () => anna,
  method: "PUT",
  path: pathOf,
  foreignId: () => foreignId,
  file: "bindings",
  body: { patterns: [] },
});
