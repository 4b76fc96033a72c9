import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, internalDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings();
});
afterAll(() => bindings.stop());

const address = "target@example.org";
const held = [{ addressId: expect.any(String), address }];
const off = { reason: "switched-off", isTemporary: false };

/** A binding of a new account, whose own address is verified. */
async function made(settings: { realAddresses?: string[]; callbackUrl?: string; isBrowsable?: boolean } = {}) {
  const ownerId = bindings.account("owner@example.org");
  const { binding } = await bindings.client.create({ ownerId, realAddresses: ["owner@example.org"], ...settings });
  const { id, proxyAddress } = binding;
  const route = async () => {
    const [answer] = await bindings.client.resolve({ addresses: [proxyAddress] });
    if (answer?.outcome !== "route") throw new Error(`${proxyAddress} is ${answer?.outcome}`);
    return answer.route;
  };
  const set = (changes: Record<string, boolean>) =>
    bindings.client.update({
      ownerId,
      id,
      realAddresses: Object.entries(changes).map(([each, isEnabled]) => ({ address: each, isEnabled })),
    });
  const suspend = (each: string) => bindings.client.disableRealAddress({ ownerId, address: each });
  return { ownerId, id, route, set, suspend };
}

test("who does not get mail that others get is named, with the reason", async () => {
  const own = "owner@example.org";
  const { set, route, suspend } = await made({ realAddresses: [own, address] });
  const skipped = (reason: string) => ({
    unverifiedTargets: [],
    skippedTargets: [{ ...held[0], reason }],
    refusal: null,
  });
  expect(await route()).toMatchObject({ targets: [{ address: own }], ...skipped("unverified") });
  await set({ [own]: true, [address]: false });
  expect(await route()).toMatchObject({ targets: [{ address: own }], ...skipped("switched-off") });
  const [token = ""] = (await bindings.tokens(address)).slice(-1);
  await bindings.client.verify({ token });
  await set({ [own]: true, [address]: true });
  expect(await route()).toMatchObject({ targets: [{}, {}], skippedTargets: [] });
  await suspend(address);
  expect(await route()).toMatchObject({ targets: [{ address: own }], ...skipped("suspended") });
});

test("beside an unverified target that mail is held for, one that is switched off is named", async () => {
  const own = "owner@example.org";
  const { set, route } = await made({ realAddresses: [address] });
  await set({ [address]: true, [own]: false });
  const skippedTargets = [{ addressId: expect.any(String), address: own, reason: "switched-off" }];
  expect(await route()).toMatchObject({ targets: [], unverifiedTargets: held, skippedTargets });
});

const daysAgo = (days: number) =>
  bindings.db.query("update real_address set suspended_at = suspended_at - make_interval(days => $1)", [days]);

test("an address that is forwarded, kept, called back or internal is live, whatever its other targets are", async () => {
  const unverified = [address];
  for (const settings of [
    { realAddresses: ["owner@example.org", address] },
    { realAddresses: unverified, isBrowsable: true },
    { realAddresses: unverified, callbackUrl: "https://example.com/hook" },
    { realAddresses: [address, `x@${internalDomain}`] },
  ])
    expect(await (await made(settings)).route()).toMatchObject({ refusal: null, unverifiedTargets: [] });
});

test("where all that is enabled is unverified, mail is held for it until it is verified", async () => {
  const { ownerId, id, route, set } = await made({ realAddresses: [address] });
  expect(await route()).toMatchObject({ targets: [], unverifiedTargets: held, refusal: null });
  await set({ [address]: true, "owner@example.org": false });
  expect(await route()).toMatchObject({ targets: [], unverifiedTargets: held, refusal: null });
  const [token = ""] = (await bindings.tokens(address)).slice(-1);
  await bindings.client.verify({ token });
  const verified = await route();
  expect(verified).toMatchObject({ targets: held, unverifiedTargets: [] });
  const said = (await bindings.said(topics.addressVerified)).filter(({ bindingId }) => bindingId === id);
  expect(said).toMatchObject([{ addressId: verified.targets[0]?.addressId, ownerId, verifiedAt: expect.anything() }]);
});

test("an account's own address that is verified later is said to be", async () => {
  const accountId = newId();
  const username = "late@example.org";
  await bindings.hear(topics.accountOpened, { accountId, username });
  const [binding] = (await bindings.client.list({ ownerId: accountId })).bindings;
  await bindings.hear(topics.accountOpened, { accountId, username, isUsernameVerified: true });
  await bindings.hear(topics.accountOpened, { accountId, username, isUsernameVerified: true });
  const said = (await bindings.said(topics.addressVerified)).filter(({ ownerId }) => ownerId === accountId);
  expect(said).toMatchObject([{ bindingId: binding?.id, addressId: binding?.realAddresses[0]?.id }]);
});

test("where the owner switched all of them off, mail is refused for good", async () => {
  const { route, set } = await made({ realAddresses: ["owner@example.org", `x@${internalDomain}`, address] });
  await set({ "owner@example.org": false, [`x@${internalDomain}`]: false, [address]: false });
  expect((await route()).refusal).toEqual(off);
  await set({ "owner@example.org": true });
  expect((await route()).refusal).toBeNull();
});

test("where they were disabled for their failures, mail is refused for three days for now, and then for good", async () => {
  const { ownerId, id, route, set, suspend } = await made({ realAddresses: ["owner@example.org", address] });
  await set({ "owner@example.org": true, [address]: false });
  expect(await suspend("owner@example.org")).toMatchObject({ isNew: true });
  expect((await route()).refusal).toEqual({ reason: "suspended", isTemporary: true });
  const { realAddresses } = await bindings.client.get({ ownerId, id });
  expect(realAddresses.map(({ suspendedAt }) => suspendedAt)).toEqual([expect.any(String), null]);
  await daysAgo(3);
  expect((await route()).refusal).toEqual({ reason: "suspended", isTemporary: false });
  // Failures of mail that was on its way are nothing new, and begin no new term.
  expect(await suspend("owner@example.org")).toEqual({ enableLink: null, isNew: false });
  expect((await route()).refusal).toEqual({ reason: "suspended", isTemporary: false });
  await set({ "owner@example.org": true, [address]: false });
  expect(await route()).toMatchObject({ refusal: null, targets: [{ address: "owner@example.org" }] });
  expect((await bindings.client.get({ ownerId, id })).realAddresses[0]?.suspendedAt).toBeNull();
});

test("mail to a disabled account is refused, and taken again once it is enabled; the later event holds", async () => {
  const { ownerId: accountId, route } = await made({ isBrowsable: true });
  const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
  await bindings.hear(topics.accountDisabled, { accountId, disabledAt: at(1) });
  expect((await route()).refusal).toEqual({ reason: "account-disabled", isTemporary: false });
  await bindings.hear(topics.accountEnabled, { accountId, enabledAt: at(3) });
  expect((await route()).refusal).toBeNull();
  await bindings.hear(topics.accountDisabled, { accountId, disabledAt: at(2) }, { accountId, disabledAt: at(1) });
  expect((await route()).refusal).toBeNull();
});

test("the owner sees how often mail was refused, when last and why", async () => {
  const { ownerId, id, route, set } = await made();
  await set({ "owner@example.org": false });
  await Promise.all(Array.from({ length: 5 }, route));
  // Whoever only asks where an address leads brings no mail.
  const { proxyAddress } = await bindings.client.get({ ownerId, id });
  await bindings.client.resolve({ addresses: [proxyAddress], countsRefusals: false });
  await bindings.client.resolve({ addresses: [proxyAddress, "none@example.org", proxyAddress] });
  await bindings.task("refusal-counts").stop();
  expect(await bindings.client.get({ ownerId, id })).toMatchObject({
    refusedEmails: 7,
    receivedEmails: 0,
    lastRefusal: { at: expect.any(String), reason: "switched-off" },
  });
});
