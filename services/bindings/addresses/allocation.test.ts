import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings();
});

afterAll(() => bindings.stop());

test("an address is the caller's own: the binding that exists, as it is", async () => {
  const ownerId = bindings.account();
  const first = await bindings.client.create({ ownerId, proxyAddress: `own@${serviceDomain}`, description: "first" });
  const again = await bindings.client.create({
    ownerId,
    proxyAddress: `OWN@${serviceDomain}`,
    description: "second",
    realAddresses: ["x@example.org"],
  });
  expect(again).toEqual({
    binding: first.binding,
    isCreated: false,
    isVerificationSent: false,
    isFirstBinding: false,
  });
});

test("an address is somebody else's: taken, in any case, present or released; to its former owner it goes back", async () => {
  const [owner, other] = [bindings.account(), bindings.account()];
  const { binding } = await bindings.client.create({ ownerId: owner, proxyAddress: `held@${serviceDomain}` });
  const wanted = { ownerId: other, proxyAddress: `Held@${serviceDomain}` };
  await expect(bindings.client.create(wanted)).rejects.toMatchObject({ kind: "AddressTaken", status: 409 });
  await bindings.client.remove({ ownerId: owner, id: binding.id });
  await expect(bindings.client.create(wanted)).rejects.toMatchObject({ kind: "AddressTaken" });
  const back = await bindings.client.create({ ...wanted, ownerId: owner });
  expect(back).toMatchObject({ isCreated: true, isFirstBinding: false });
  expect(back.binding.id).not.toBe(binding.id);
});

test("an address has its subaddresses with it", async () => {
  const [owner, other] = [bindings.account(), bindings.account()];
  await bindings.client.create({ ownerId: owner, proxyAddress: `base@${serviceDomain}` });
  await expect(
    bindings.client.create({ ownerId: other, proxyAddress: `base+x@${serviceDomain}` }),
  ).rejects.toMatchObject({ kind: "AddressTaken" });
  expect(await bindings.client.create({ ownerId: owner, proxyAddress: `base+x@${serviceDomain}` })).toMatchObject({
    isCreated: true,
  });
});

test("an address is wanted by several at once: one gets it", async () => {
  const owners = Array.from({ length: 6 }, () => bindings.account());
  const outcomes = await Promise.allSettled(
    owners.map((ownerId) => bindings.client.create({ ownerId, proxyAddress: `race@${serviceDomain}` })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ kind: "AddressTaken" });
});

test("an address is wanted by its owner several times at once: made once", async () => {
  const ownerId = bindings.account();
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () => bindings.client.create({ ownerId, proxyAddress: `mine@${serviceDomain}` })),
  );
  expect(outcomes.filter(({ isCreated }) => isCreated)).toHaveLength(1);
  expect(new Set(outcomes.map(({ binding }) => binding.id)).size).toBe(1);
});

test("an address is wanted while its owner releases it: never somebody else's", async () => {
  const [owner, other] = [bindings.account(), bindings.account()];
  for (let round = 0; round < 5; round++) {
    const proxyAddress = `release${round}@${serviceDomain}`;
    const { binding } = await bindings.client.create({ ownerId: owner, proxyAddress });
    const [taking] = await Promise.allSettled([
      bindings.client.create({ ownerId: other, proxyAddress }),
      bindings.client.remove({ ownerId: owner, id: binding.id }),
    ]);
    expect(taking).toMatchObject({ status: "rejected", reason: { kind: "AddressTaken" } });
  }
});

test("what was given out before the migration: a subaddress's base is its owner's too, and domains are in lower case", async () => {
  const [holder, other] = [bindings.account(), bindings.account()];
  const { binding } = await bindings.client.create({ ownerId: holder, proxyAddress: `Old+Bank+x@${serviceDomain}` });
  await bindings.db.query("delete from address_claim where owner_id = $1 and digest = sha256($2)", [
    holder,
    `old@${serviceDomain}`,
  ]);
  await bindings.db.query("update binding set proxy_address = $1 where id = $2", [
    "Old+Bank+x@Postern.LOCALHOST",
    binding.id,
  ]);
  const migration = await readFile(new URL("../migrations/0003_claims.sql", import.meta.url), "utf8");
  for (const statement of migration.split(";").filter((each) => !each.includes("alter table")))
    if (statement.trim()) await bindings.db.query(statement);
  const { proxyAddress } = await bindings.client.get({ ownerId: holder, id: binding.id });
  expect(proxyAddress).toBe(`Old+Bank+x@${serviceDomain}`);
  const wanted = bindings.client.create({ ownerId: other, proxyAddress: `old@${serviceDomain}` });
  await expect(wanted).rejects.toMatchObject({ kind: "AddressTaken" });
});
