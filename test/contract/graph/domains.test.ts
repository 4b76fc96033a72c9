import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import { refused } from "./support/ask.ts";
import { graphInstallation } from "./support/installation.ts";

let anna: TestAccount;
// A fleet takes its time to start.
beforeAll(async () => {
  await graphInstallation();
  anna = await newAccount();
}, 200_000);

const fields = "id name state checkedAt failingSince records { name type expected found verdict } patterns { glob }";
const add = `mutation ($name: String!) { addDomain(name: $name) { ${fields} } }`;
const show = `query ($id: ID!) { domain(id: $id) { ${fields} } }`;
const set = `mutation ($id: ID!, $patterns: [PatternInput!]!) {
  setPatterns(domainId: $id, patterns: $patterns) { id patterns { glob targets creates perHour } }
}`;
const rotate = `mutation ($id: ID!) { rotateDomainKeys(id: $id) { records { keyStage keepUntil } } }`;
const remove = `mutation ($id: ID!) { removeDomain(id: $id) { id } }`;

let count = 0;
const freshName = () => `graph-${process.pid}-${++count}-${Date.now()}.example`;

async function added(account = anna) {
  return (await account.get(add, { name: freshName() }))["addDomain"] ?? {};
}

test("a domain is added, shown, listed and removed", async () => {
  const name = freshName();
  const domain = (await anna.get(add, { name: `${name}.` }))["addDomain"] ?? {};
  expect(domain).toMatchObject({ name, state: "unverified", failingSince: null, patterns: [] });
  expect(domain["records"]).toContainEqual(
    expect.objectContaining({
      name: `_postern.${name}`,
      type: "TXT",
      expected: expect.stringMatching(/^postern-verify=/),
    }),
  );
  expect((await anna.get(show, { id: domain["id"] }))["domain"]).toMatchObject({ id: domain["id"], name });
  expect((await anna.get("{ domains { id } }"))["domains"]).toContainEqual({ id: domain["id"] });
  expect((await anna.get(remove, { id: domain["id"] }))["removeDomain"]).toEqual({ id: domain["id"] });
  await refused(anna.ask(show, { id: domain["id"] }), "NOT_FOUND", "NotFound");
});

test("patterns are set as a whole", async () => {
  const { id } = await added();
  const patterns = [{ glob: "spam*", creates: false }, { glob: "*" }];
  expect((await anna.get(set, { id, patterns }))["setPatterns"]).toEqual({
    id,
    patterns: [
      { glob: "spam*", targets: [], creates: false, perHour: 20 },
      { glob: "*", targets: [], creates: true, perHour: 20 },
    ],
  });
  await refused(anna.ask(set, { id, patterns: [{ glob: "{" }] }), "BAD_USER_INPUT", "ValidationFailed");
});

test("new keys are listed beside those that sign, once however often they are asked for", async () => {
  const { id } = await added();
  const stages = async () => {
    const { records } = (await anna.get(rotate, { id }))["rotateDomainKeys"] ?? {};
    return (records as unknown as { keyStage: string | null }[]).map(({ keyStage }) => keyStage).filter(Boolean);
  };
  expect([await stages(), await stages()]).toEqual(Array(2).fill(["current", "next", "current", "next"]));
});

test("what cannot be one is refused, and somebody else's is not there", async () => {
  for (const name of ["co.uk", "postern.localhost", "no host"])
    await refused(anna.ask(add, { name }), "BAD_USER_INPUT", "ValidationFailed");
  const { id } = await added(await newAccount());
  const check = `mutation ($id: ID!) { checkDomain(id: $id) { id } }`;
  for (const query of [show, remove, check, rotate]) await refused(anna.ask(query, { id }), "NOT_FOUND", "NotFound");
  await refused(anna.ask(set, { id, patterns: [] }), "NOT_FOUND", "NotFound");
});
