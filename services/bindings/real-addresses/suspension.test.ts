import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings();
});

afterAll(() => bindings.stop());

test("a callback is switched off, unless its URL was changed meanwhile", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, callbackUrl: "https://example.com/new" });
  const { id: bindingId } = binding;
  const shown = async () => (await bindings.client.get({ ownerId, id: bindingId })).callbackUrl;
  await bindings.client.switchOffCallback({ bindingId, callbackUrl: "https://example.com/old" });
  expect(await shown()).toBe("https://example.com/new");
  await bindings.client.switchOffCallback({ bindingId, callbackUrl: "https://example.com/new" });
  expect(await shown()).toBe("");
  const unknown = { bindingId: newId(), callbackUrl: "https://example.com/" };
  expect(await bindings.client.switchOffCallback(unknown)).toEqual({});
});

test("a real address is disabled in every binding of the account, and of no other, until it is enabled again", async () => {
  const [ownerId, other] = [bindings.account(), bindings.account()];
  const ids = await Promise.all(
    [ownerId, ownerId, other].map(async (owner) => {
      const { binding } = await bindings.client.create({
        ownerId: owner,
        realAddresses: ["dead@example.org", "live@example.org"],
      });
      return binding.id;
    }),
  );
  const enabled = async (owner: string, id: string | undefined) =>
    (await bindings.client.get({ ownerId: owner, id: id ?? "" })).realAddresses.map(({ isEnabled }) => isEnabled);
  expect(await bindings.client.disableRealAddress({ ownerId, address: "Dead@EXAMPLE.org" })).toEqual({
    enableLink: expect.stringMatching(/\/verify\/[\w-]{43}$/),
    isNew: true,
  });
  for (const address of ["nonsense\0", "none@example.org", "dead@example.org"])
    expect(await bindings.client.disableRealAddress({ ownerId, address })).toEqual({ enableLink: null, isNew: false });
  expect(await enabled(ownerId, ids[0])).toEqual([false, true]);
  expect(await enabled(ownerId, ids[1])).toEqual([false, true]);
  expect(await enabled(other, ids[2])).toEqual([true, true]);
  const realAddresses = [{ address: "dead@example.org", isEnabled: true }];
  await bindings.client.update({ ownerId, id: ids[0] ?? "", realAddresses });
  expect(await enabled(ownerId, ids[0])).toEqual([true]);
});

test("the link to enable an address again is for its owner, good once, and proves nothing of the address", async () => {
  const ownerId = bindings.account();
  const realAddresses = ["dead@example.org"];
  const made = await Promise.all([1, 2].map(() => bindings.client.create({ ownerId, realAddresses })));
  const { enableLink } = await bindings.client.disableRealAddress({ ownerId, address: "dead@example.org" });
  const token = enableLink?.split("/").at(-1) ?? "";
  expect(await bindings.client.describeVerification({ token })).toMatchObject({ realAddress: "dead@example.org" });
  await bindings.client.verify({ token });
  for (const { binding } of made) {
    const { realAddresses: shown } = await bindings.client.get({ ownerId, id: binding.id });
    expect(shown).toMatchObject([{ isEnabled: true, isVerified: false }]);
  }
  await expect(bindings.client.verify({ token })).rejects.toMatchObject({ kind: "Gone" });
});

test("a decision that is repeated after its answer was lost is the same; an older one is not new", async () => {
  const ownerId = bindings.account();
  const address = "twice@example.org";
  await bindings.client.create({ ownerId, realAddresses: [address] });
  const decide = (decidedAt: Date) =>
    bindings.client.disableRealAddress({ ownerId, address, decidedAt: decidedAt.toISOString() });
  const decidedAt = new Date();
  const decided = { enableLink: expect.any(String), isNew: true };
  expect(await decide(decidedAt)).toEqual(decided);
  expect(await decide(decidedAt)).toEqual(decided);
  await bindings.db.query("update real_address set suspended_at = suspended_at - interval '1 minute'");
  expect(await decide(decidedAt)).toEqual({ enableLink: null, isNew: false });
});
