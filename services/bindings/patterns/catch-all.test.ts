import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;
let names = 0;
let name = "";
let own = "";
let ownerId = "";
let domainId = "";

beforeAll(async () => {
  bindings = await startBindings();
});
afterAll(() => bindings.stop());

beforeEach(async () => {
  names += 1;
  name = `own${names}.example`;
  own = `owner${names}@inbox.example`;
  ownerId = bindings.account(own);
  domainId = await bindings.verifiedDomain(ownerId, name);
});

const bind = async (proxyAddress = `ann@${name}`) => {
  const realAddresses = [
    { address: own, isEnabled: true },
    { address: `off${names}@inbox.example`, isEnabled: false },
    { address: `new${names}@inbox.example`, isEnabled: true },
  ];
  const { binding } = await bindings.client.create({ ownerId, proxyAddress, realAddresses });
  const verify = "update real_address set verified_at = now() where binding_id = $1 and not is_enabled";
  await bindings.db.query(verify, [binding.id]);
  return binding.id;
};

const change = (id: string, description?: string, scopes?: string[]) => {
  const key = scopes && { apiKey: { domain: null, targetIds: [], scopes } };
  return bindings.client.update({ ownerId, id, addsCatchAll: true, description, ...key });
};

const set = (...globs: string[]) =>
  bindings.client.setDomainPatterns({ ownerId, id: domainId, patterns: globs.map((glob) => ({ glob })) });

const patterns = () => bindings.client.domainPatterns({ ownerId, id: domainId });
const globs = async () => (await patterns()).map(({ glob }) => glob);

test.each(["shop.example", "bücher.example"])(
  "on %s it stands behind the patterns, once, and leads where mail goes",
  async (base) => {
    name = `own${names}.${base}`;
    domainId = await bindings.verifiedDomain(ownerId, name);
    await set("sales-*");
    const id = await bind();
    for (const _ of ["added", "there"]) {
      await change(id);
      expect(await patterns()).toMatchObject([
        { glob: "sales-*" },
        { glob: "*", targets: [own], creates: true, perHour: 20 },
      ]);
    }
  },
);

test("the service's domain gets none", async () => {
  const { binding } = await bindings.client.create({ ownerId });
  expect(await change(binding.id)).toMatchObject({ binding: { id: binding.id } });
  expect(await globs()).toEqual([]);
});

test("a key that may not change domains adds none, and changes nothing else of the binding either", async () => {
  const id = await bind();
  await expect(change(id, "changed", ["alias:write"])).rejects.toMatchObject({ kind: "ScopeMissing" });
  expect(await bindings.client.get({ ownerId, id })).toMatchObject({ description: "" });
  await change(id, "changed", ["admin"]);
  expect(await globs()).toEqual(["*"]);
  // There is none to add.
  expect(await change(id, "again", ["alias:write"])).toMatchObject({ binding: { description: "again" } });
});

test.each([
  ["as many patterns as it can have", Array.from({ length: 50 }, (_, at) => `at${at}`)],
  [
    "patterns of as many characters as they can have",
    Array.from({ length: 20 }, (_, at) => String(at).padStart(50, "a")),
  ],
])("a domain with %s gets none, and the binding is not changed", async (_, full) => {
  const id = await bind();
  await set(...full);
  await expect(change(id, "changed")).rejects.toMatchObject({ fieldFault: { field: "addsCatchAll" } });
  expect(await globs()).toEqual(full);
  expect(await bindings.client.get({ ownerId, id })).toMatchObject({ description: "" });
});

test("patterns that are set meanwhile stay", async () => {
  const id = await bind();
  const changing = await bindings.db.tx(async (tx) => {
    await tx.query("select from owner where id = $1 for update", [ownerId]);
    const waiting = change(id);
    await tx.query(
      "insert into pattern (domain_id, position, glob, targets, creates, per_hour) values ($1, 0, 'meanwhile', '{}', true, 20)",
      [domainId],
    );
    return { waiting };
  });
  await changing.waiting;
  expect(await globs()).toEqual(["meanwhile", "*"]);
});
