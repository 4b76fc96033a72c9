import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings();
});

afterAll(() => bindings.stop());

test("a binding goes with its addresses and links, and the others hear of it", async () => {
  const ownerId = bindings.account();
  const proxyAddress = `Gone@${serviceDomain}`;
  const { binding } = await bindings.client.create({ ownerId, proxyAddress, realAddresses: ["a@example.org"] });
  const [token = ""] = await bindings.tokens("a@example.org");
  expect(await bindings.client.remove({ ownerId, id: binding.id })).toEqual({});
  expect(await bindings.said(topics.bindingRemoved)).toMatchObject([
    { bindingId: binding.id, ownerId, proxyAddress, removedAt: expect.anything() },
  ]);
  await expect(bindings.client.describeVerification({ token })).rejects.toMatchObject({ kind: "NotFound" });
  await expect(bindings.client.remove({ ownerId, id: binding.id })).rejects.toMatchObject({ kind: "NotFound" });
  expect(await bindings.client.resolve({ addresses: [proxyAddress] })).toEqual([
    { outcome: "unknown", address: proxyAddress },
  ]);
});

test("nothing of a released address is kept but its digest and whose it was", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, proxyAddress: `secret.name@${serviceDomain}` });
  await bindings.client.remove({ ownerId, id: binding.id });
  const { rows } = await bindings.db.query<{ text: string }>(
    "select concat(address_claim::text, binding::text) as text from address_claim left join binding on true where address_claim.owner_id = $1",
    [ownerId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).not.toContain("secret");
});

test("removed by several at once: said once", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => bindings.client.remove({ ownerId, id: binding.id })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const said = await bindings.said(topics.bindingRemoved);
  expect(said.filter(({ bindingId }) => bindingId === binding.id)).toHaveLength(1);
});
