import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { newId } from "../../platform/ids.ts";
import {
  type BindingsUnderTest,
  internalDomain,
  serviceDomain,
  startBindings,
} from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings({
    QUOTA_BINDINGS: "1000",
    LIMIT_VERIFICATION_PER_ADDRESS: "1000000",
    LIMIT_VERIFICATION_PER_ACCOUNT: "1000000",
  });
});

afterAll(() => bindings.stop());

async function made(wanted: { realAddresses?: string[]; callbackUrl?: string; description?: string } = {}) {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, ...wanted });
  return { ownerId, id: binding.id, binding };
}

test("what is absent stays as it is, but for the time of the change", async () => {
  const { ownerId, id, binding } = await made({
    realAddresses: ["a@example.org"],
    callbackUrl: "https://example.com/",
    description: "kept",
  });
  const outcome = await bindings.client.update({ ownerId, id });
  expect(outcome).toEqual({
    binding: { ...binding, updatedAt: expect.any(String) },
    isCreated: false,
    isVerificationSent: false,
    isFirstBinding: false,
  });
  expect(Date.parse(outcome.binding.updatedAt)).toBeGreaterThan(Date.parse(binding.updatedAt));
});

test("each attribute can be set, and the callback switched off by null as by nothing", async () => {
  const { ownerId, id, binding } = await made();
  const set = await bindings.client.update({
    ownerId,
    id,
    description: "new",
    callbackUrl: "https://example.com/x",
    isBrowsable: true,
    proxyAddress: binding.proxyAddress.toUpperCase(),
  });
  expect(set.binding).toMatchObject({ description: "new", callbackUrl: "https://example.com/x", isBrowsable: true });
  expect(set.binding.proxyAddress).toBe(binding.proxyAddress);
  for (const callbackUrl of [null, ""]) {
    await bindings.client.update({ ownerId, id, callbackUrl: "https://example.com/x" });
    expect((await bindings.client.update({ ownerId, id, callbackUrl })).binding.callbackUrl).toBe("");
  }
  expect((await bindings.client.update({ ownerId, id, description: "", isBrowsable: false })).binding).toMatchObject({
    description: "",
    isBrowsable: false,
  });
});

test("real addresses are the whole new set: one that stays keeps its proof, a new one is sent a link", async () => {
  const { ownerId, id } = await made({ realAddresses: ["Stays@example.org", "goes@example.org"] });
  const [token = ""] = await bindings.tokens("Stays@example.org");
  await bindings.client.verify({ token });
  const { binding, isVerificationSent } = await bindings.client.update({
    ownerId,
    id,
    realAddresses: [
      { address: "stays@EXAMPLE.org", isEnabled: false },
      { address: "comes@example.org", isEnabled: true },
    ],
  });
  expect(isVerificationSent).toBe(true);
  expect(binding.realAddresses).toMatchObject([
    { address: "stays@EXAMPLE.org", isEnabled: false, isVerified: true, isVerificationNeeded: false },
    { address: "comes@example.org", isEnabled: true, isVerified: false, isVerificationNeeded: true },
  ]);
  expect(await bindings.tokens("comes@example.org")).toHaveLength(1);
  const [stale = ""] = await bindings.tokens("goes@example.org");
  await expect(bindings.client.verify({ token: stale })).rejects.toMatchObject({ kind: "NotFound" });
});

test("a switch or a toggle turns all off, and on again those that it turned off", async () => {
  const { ownerId, id } = await made({ realAddresses: ["on@example.org", "off@example.org"] });
  const set = (on: boolean, off: boolean) =>
    bindings.client.update({
      ownerId,
      id,
      realAddresses: [
        { address: "on@example.org", isEnabled: on },
        { address: "off@example.org", isEnabled: off },
      ],
    });
  const toggled = async (wanted?: boolean) => {
    const { isEnabled } = await bindings.client.toggle({ ownerId, id, isEnabled: wanted });
    const { realAddresses } = await bindings.client.get({ ownerId, id });
    return [isEnabled, Object.fromEntries(realAddresses.map((each) => [each.address.split("@")[0], each.isEnabled]))];
  };
  await set(true, false);
  expect(await toggled()).toEqual([false, { on: false, off: false }]);
  expect(await toggled()).toEqual([true, { on: true, off: false }]);
  expect(await toggled(true)).toEqual([true, { on: true, off: false }]);
  expect(await toggled(false)).toEqual([false, { on: false, off: false }]);
  expect(await toggled(false)).toEqual([false, { on: false, off: false }]);
  expect(await toggled(true)).toEqual([true, { on: true, off: false }]);
  await set(false, false);
  expect(await toggled()).toEqual([true, { on: true, off: true }]);
  await expect(bindings.client.toggle({ ownerId: bindings.account(), id })).rejects.toMatchObject({ kind: "NotFound" });
});

test("one that left and comes back has to be proved again", async () => {
  const { ownerId, id } = await made({ realAddresses: ["back@example.org"] });
  await bindings.client.verify({ token: (await bindings.tokens("back@example.org")).at(-1) ?? "" });
  const change = (address: string) =>
    bindings.client.update({ ownerId, id, realAddresses: [{ address, isEnabled: true }] });
  await change("other@example.org");
  expect(await change("back@example.org")).toMatchObject({
    isVerificationSent: true,
    binding: { realAddresses: [{ isVerified: false }] },
  });
});

test("one that the account has proved in another binding needs no second proof; another account's does", async () => {
  const { ownerId } = await made({ realAddresses: ["shared@example.org"] });
  await bindings.client.verify({ token: (await bindings.tokens("shared@example.org")).at(-1) ?? "" });
  const realAddresses = ["Shared@example.org"];
  expect(await bindings.client.create({ ownerId, realAddresses })).toMatchObject({
    isVerificationSent: false,
    binding: { realAddresses: [{ isVerified: true }] },
  });
  expect(await bindings.client.create({ ownerId: bindings.account(), realAddresses })).toMatchObject({
    isVerificationSent: true,
    binding: { realAddresses: [{ isVerified: false }] },
  });
});

describe("refused, and nothing is changed:", () => {
  const wrong: [string, string, Record<string, unknown>][] = [
    ["an empty set", "realAddresses: ", { realAddresses: [] }],
    ["another proxy address", "proxyAddress: ", { proxyAddress: `other@${serviceDomain}` }],
    ["a proxy address that is none", "proxyAddress: ", { proxyAddress: "nonsense\0" }],
    ["a real address that is none", "realAddresses: entry 1: ", { realAddresses: [{ address: "x", isEnabled: true }] }],
    [
      "an address of the service",
      "realAddresses: entry 2: ",
      {
        realAddresses: [
          { address: "ok@example.org", isEnabled: true },
          { address: `x@${serviceDomain}`, isEnabled: true },
        ],
      },
    ],
    [
      "an address said to be enabled and not",
      "realAddresses: entry 2: ",
      {
        realAddresses: [
          { address: "ok@example.org", isEnabled: true },
          { address: "OK@example.org", isEnabled: false },
        ],
      },
    ],
    ["a callback to the metadata of a cloud", "callbackUrl: ", { callbackUrl: "http://169.254.169.254/" }],
    ["a NUL", "description: ", { description: "\0" }],
  ];

  test.each(wrong)("%s", async (_, member, change) => {
    const { ownerId, id, binding } = await made({ realAddresses: ["kept@example.org"], description: "kept" });
    const refused = bindings.client.update({ ownerId, id, description: "changed", ...change });
    await expect(refused).rejects.toMatchObject({
      kind: "ValidationFailed",
      publicMessage: expect.stringContaining(member),
    });
    expect(await bindings.client.get({ ownerId, id })).toEqual(binding);
  });

  test.each([
    ["somebody else's", () => made().then(({ id }) => id)],
    ["a missing one", async () => newId()],
    ["what is no id", async () => "1'; --"],
  ])("%s looks as if it were not there", async (_, idOf) => {
    const id = await idOf();
    const ownerId = bindings.account();
    await bindings.client.create({ ownerId });
    const notFound = { kind: "NotFound", status: 404, publicMessage: "There is no such proxy binding." };
    await expect(bindings.client.update({ ownerId, id, description: "mine" })).rejects.toMatchObject(notFound);
    await expect(bindings.client.get({ ownerId, id })).rejects.toMatchObject(notFound);
    await expect(bindings.client.remove({ ownerId, id })).rejects.toMatchObject(notFound);
    await expect(
      bindings.client.resendVerification({ ownerId, bindingId: id, address: "a@example.org" }),
    ).rejects.toMatchObject(notFound);
  });
});

test("property: any updates leave exactly the last set, and proof lasts as long as an address stays", async () => {
  const internal = 3;
  const change = fc
    .uniqueArray(fc.record({ at: fc.nat(internal), isEnabled: fc.boolean(), isUpper: fc.boolean() }), {
      minLength: 1,
      selector: ({ at }) => at,
    })
    .map((entries) => ({ entries }));
  const proof = fc.nat(internal).map((proved) => ({ proved }));
  const steps = fc.array(fc.oneof({ weight: 2, arbitrary: change }, { weight: 1, arbitrary: proof }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const domain = `${newId()}.example`;
      const addresses = [`a@${domain}`, `b@${domain}`, `ü@${domain}`, `q@${internalDomain}`];
      const { ownerId, id } = await made({ realAddresses: addresses.slice(0, 1) });
      let model = new Map([[0, { address: addresses[0] ?? "", isEnabled: true, isVerified: false }]]);
      for (const step of taken) {
        if ("proved" in step) {
          await useAll(addresses[step.proved] ?? "");
          const entry = model.get(step.proved);
          if (entry && step.proved !== internal) entry.isVerified = true;
          continue;
        }
        const former = model;
        model = new Map(
          step.entries.map(({ at, isEnabled, isUpper }) => {
            const address = (isUpper ? addresses[at]?.toUpperCase() : addresses[at]) ?? "";
            return [at, { address, isEnabled, isVerified: former.get(at)?.isVerified ?? false }];
          }),
        );
        const outcome = await bindings.client.update({ ownerId, id, realAddresses: [...model.values()] });
        expect(outcome.isVerificationSent).toBe([...model.keys()].some((at) => !former.has(at) && at !== internal));
      }
      const { realAddresses } = await bindings.client.get({ ownerId, id });
      const shown = realAddresses.map(({ address, isEnabled, isVerified }) => ({ address, isEnabled, isVerified }));
      expect(shown).toHaveLength(model.size);
      expect(shown).toEqual(expect.arrayContaining([...model.values()]));
    }),
    { numRuns: 30 },
  );
});

/** Opens every link that an address was ever sent; those of a time when it was there before lead nowhere. */
async function useAll(address: string): Promise<void> {
  for (const token of await bindings.tokens(address)) {
    const [outcome] = await Promise.allSettled([bindings.client.verify({ token })]);
    if (outcome.status === "rejected") expect(["Gone", "NotFound"]).toContain(outcome.reason.kind);
  }
}
