import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, internalDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;
let accounts = 0;
let own = "";
let newAddress = "";
let domain = "";
let ownerId = "";
let id = "";

beforeAll(async () => {
  bindings = await startBindings();
});
afterAll(() => bindings.stop());

/** The account's own address, which is verified, is what is replaced: its patterns and rules may lead there from the first. */
beforeEach(async () => {
  accounts += 1;
  own = `owner${accounts}@inbox.example`;
  newAddress = `new${accounts}@inbox.example`;
  domain = `own${accounts}.example`;
  ownerId = bindings.account(own);
  id = await bindings.verifiedDomain(ownerId, domain);
});

const replace = (apiKey?: { domain: string }) =>
  bindings.client.replaceRealAddress({
    ownerId,
    oldAddress: own.toUpperCase(),
    newAddress,
    ...(apiKey ? { apiKey: { targetIds: [], scopes: ["alias:write"], ...apiKey } } : {}),
  });

const bind = async (...realAddresses: string[]) => (await bindings.client.create({ ownerId, realAddresses })).binding;

const putRule = async (...forwardTo: string[]) =>
  (await bindings.client.putRule({ ownerId, actions: { forwardTo } })).rule;

const setPattern = (...targets: string[]) =>
  bindings.client.setDomainPatterns({ ownerId, id, patterns: [{ glob: "*", targets }] });

async function verify(address: string) {
  const [token = ""] = (await bindings.tokens(address)).slice(-1);
  await bindings.client.verify({ token });
}

async function routeTo(localPart: string) {
  const [answer] = await bindings.client.resolve({ addresses: [`${localPart}@${domain}`] });
  if (answer?.outcome !== "route") throw new Error(`no route: ${answer?.outcome}`);
  return answer.route;
}

/** As if ingress had taken mail by a route. */
async function arrive(route: Awaited<ReturnType<typeof routeTo>>) {
  const { bindingId, proxyAddress, targets, unverifiedTargets, skippedTargets, isBrowsable } = route;
  const common = { emailId: newId(), bindingId, ownerId, proxyAddress, isBrowsable };
  await bindings.hear(topics.mailAccepted, { ...common, targets, unverifiedTargets, skippedTargets });
  const { realAddresses } = await bindings.client.get({ ownerId, id: bindingId });
  return realAddresses.map(({ address, isVerified, isEnabled }) => ({ address, isVerified, isEnabled }));
}

test("patterns and rules lead to the new address as well, each once", async () => {
  await bind(own, newAddress);
  await verify(newAddress);
  await setPattern(newAddress, own);
  const other = `other${accounts}@inbox.example`;
  await bind(other);
  await verify(other);
  const [one, both, neither] = [await putRule(own), await putRule(own, newAddress), await putRule(other)];
  expect(await replace()).toEqual({ bindings: 1 });
  expect(await bindings.client.domainPatterns({ ownerId, id })).toMatchObject([{ targets: [newAddress] }]);
  expect(await bindings.client.listRules({ ownerId })).toMatchObject([
    { id: one.id, actions: { forwardTo: [newAddress] } },
    { id: both.id, actions: { forwardTo: [newAddress] } },
    { id: neither.id, actions: { forwardTo: [other] }, updatedAt: neither.updatedAt },
  ]);
});

test("a new address that is not verified gets nothing by a pattern or a rule: mail is held for it, or goes where it did", async () => {
  const { proxyAddress } = await bind(own);
  await setPattern(own);
  await putRule(own);
  await replace();
  const held = await routeTo("held");
  const target = { addressId: expect.any(String), address: newAddress };
  expect(held).toMatchObject({ targets: [], unverifiedTargets: [target], skippedTargets: [], refusal: null });
  expect(held.rules).toMatchObject([{ actions: { forwardTo: [] } }]);
  const [bound] = await bindings.client.resolve({ addresses: [proxyAddress] });
  expect(bound).toMatchObject({ route: { targets: [], unverifiedTargets: [target] } });
  expect(await arrive(held)).toEqual([{ address: newAddress, isVerified: false, isEnabled: true }]);
  await verify(newAddress);
  const verified = (await bindings.said(topics.addressVerified)).map(({ addressId }) => addressId);
  expect(verified).toContain(held.unverifiedTargets[0]?.addressId);
  const later = await routeTo("later");
  expect(later).toMatchObject({ targets: [target], unverifiedTargets: [] });
  expect(later.rules).toMatchObject([{ actions: { forwardTo: [target] } }]);
});

test("what is verified between a mail and its binding is said to be, so that the mail is released", async () => {
  await bind(own);
  await setPattern(own);
  await replace();
  const held = await routeTo("between");
  await verify(newAddress);
  expect(await arrive(held)).toEqual([{ address: newAddress, isVerified: true, isEnabled: true }]);
  const [said] = (await bindings.said(topics.addressVerified)).filter(({ bindingId }) => bindingId === held.bindingId);
  expect(said).toMatchObject({ addressId: held.unverifiedTargets[0]?.addressId, ownerId });
});

test("beside a target that takes mail an unverified one is skipped, and is one of the binding's all the same", async () => {
  const other = `other${accounts}@inbox.example`;
  await bind(own, other);
  await verify(other);
  await setPattern(own, other);
  await replace();
  const route = await routeTo("both");
  expect(route).toMatchObject({
    targets: [{ address: other }],
    unverifiedTargets: [],
    skippedTargets: [{ address: newAddress, reason: "unverified" }],
  });
  expect(await arrive(route)).toEqual(
    expect.arrayContaining([
      { address: other, isVerified: true, isEnabled: true },
      { address: newAddress, isVerified: false, isEnabled: true },
    ]),
  );
});

test("a new address that nothing could verify is refused, and nothing is changed", async () => {
  await setPattern(own);
  await expect(replace()).rejects.toMatchObject({ kind: "ValidationFailed", fieldFault: { field: "newEmail" } });
  expect(await bindings.client.domainPatterns({ ownerId, id })).toMatchObject([{ targets: [own] }]);
});

test.each(["pattern", "rule"])(
  "an internal address is refused where a %s leads to the old one: nothing is forwarded there",
  async (what) => {
    const { id: bindingId } = await bind(own);
    if (what === "pattern") await setPattern(own);
    else await putRule(own);
    newAddress = `kept@${internalDomain}`;
    await expect(replace()).rejects.toMatchObject({ fieldFault: { field: "newEmail" } });
    expect(await bindings.client.get({ ownerId, id: bindingId })).toMatchObject({ realAddresses: [{ address: own }] });
  },
);

test("where bindings alone lead to the old one, they may lead to an internal address", async () => {
  const { id: bindingId } = await bind(own);
  newAddress = `kept@${internalDomain}`;
  expect(await replace()).toEqual({ bindings: 1 });
  const { realAddresses } = await bindings.client.get({ ownerId, id: bindingId });
  expect(realAddresses).toMatchObject([{ address: newAddress }]);
  expect(await bindings.tokens(newAddress)).toEqual([]);
});

test("a new address that is switched off wherever it is takes no mail of a pattern, and is refused", async () => {
  const { id: bindingId } = await bind(newAddress);
  const realAddresses = [{ address: newAddress, isEnabled: false }];
  await bindings.client.update({ ownerId, id: bindingId, realAddresses });
  await setPattern(own);
  await expect(replace()).rejects.toMatchObject({ fieldFault: { field: "newEmail" } });
  await verify(newAddress);
  await expect(replace()).rejects.toMatchObject({ fieldFault: { field: "newEmail" } });
  await bindings.client.update({ ownerId, id: bindingId, realAddresses: [{ address: newAddress, isEnabled: true }] });
  await replace();
  expect(await routeTo("on")).toMatchObject({ targets: [{ address: newAddress }], refusal: null });
});

test("patterns and rules that lead to an address yet to be verified can be changed, and no other is led there", async () => {
  await bind(own);
  await setPattern(own);
  const rule = await putRule(own);
  await replace();
  const [kept] = await bindings.client.domainPatterns({ ownerId, id });
  const patterns = [
    { glob: "shop-*", targets: [] },
    { ...kept, glob: "*", targets: [newAddress.toUpperCase()] },
  ];
  expect(await bindings.client.setDomainPatterns({ ownerId, id, patterns })).toMatchObject(patterns);
  const actions = { forwardTo: [newAddress], tagSubject: "kept" };
  expect(await bindings.client.updateRule({ ownerId, id: rule.id, actions })).toMatchObject({ actions });
  expect(await bindings.client.putRule({ ownerId, id: rule.id, actions })).toMatchObject({ rule: { actions } });
  await expect(putRule(newAddress)).rejects.toMatchObject({ fieldFault: { field: "actions.forwardTo[0]" } });
  await setPattern();
  await expect(setPattern(newAddress)).rejects.toMatchObject({ fieldFault: { field: "patterns[0].targets[0]" } });
});

test("a link is sent once, also where every binding had the new address already, yet to be verified", async () => {
  await bind(own, newAddress);
  await bind(own, newAddress);
  const before = (await bindings.tokens(newAddress)).length;
  expect(await replace()).toEqual({ bindings: 2 });
  expect(await bindings.tokens(newAddress)).toHaveLength(before + 1);
  await verify(newAddress);
  expect(await replace()).toEqual({ bindings: 0 });
  expect(await bindings.tokens(newAddress)).toHaveLength(before + 1);
});

test.each(["pattern", "rule"])("a %s outside a key's restrictions is refused, and nothing is changed", async (what) => {
  const { binding } = await bindings.client.create({ ownerId, realAddresses: [own] });
  if (what === "pattern") await setPattern(own);
  else await putRule(own);
  const keyDomain = binding.proxyAddress.split("@").at(-1) ?? "";
  await expect(replace({ domain: keyDomain })).rejects.toMatchObject({ kind: "Forbidden" });
  expect(await bindings.client.get({ ownerId, id: binding.id })).toMatchObject({ realAddresses: [{ address: own }] });
});
