import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;
let accounts = 0;
let own = "";
let ownerId = "";
let bindingId = "";
let proxyAddress = "";

beforeAll(async () => {
  bindings = await startBindings({ QUOTA_BINDINGS: "100" });
});
afterAll(() => bindings.stop());

beforeEach(async () => {
  accounts += 1;
  own = `owner${accounts}@inbox.example`;
  ownerId = bindings.account(own);
  const { binding } = await bindings.client.create({ ownerId, realAddresses: [own] });
  ({ id: bindingId, proxyAddress } = binding);
});

type Put = Omit<Parameters<BindingsUnderTest["client"]["putRule"]>[0], "ownerId">;
const put = async (rule: Put) => (await bindings.client.putRule({ ownerId, ...rule })).rule;
const idsOf = async (scope: { bindingId?: string; domainId?: string } = {}) =>
  (await bindings.client.listRules({ ownerId, ...scope })).map(({ id }) => id);

async function routeRules(address = proxyAddress) {
  const [answer] = await bindings.client.resolve({ addresses: [address] });
  if (answer?.outcome !== "route") throw new Error(`no route: ${answer?.outcome}`);
  return answer.route.rules;
}

test("a rule is kept in the form that it is compared in, and put again it is the same one", async () => {
  const id = newId();
  const conditions = {
    senders: ["<>", "Pest@BÜCHER.example", "@Shop.Example"],
    clientNetworks: ["192.0.2.7", "2001:DB8::/32"],
    tags: ["+Run42", ""],
    subjectContains: ["  Buy \t NOW ", "buy now"],
    listIds: ["Offers <offers.Shop.example>"],
    dmarc: ["fail" as const, "fail" as const],
    largerThan: 10,
  };
  const first = await bindings.client.putRule({ ownerId, id, conditions, actions: { refuse: true, discard: false } });
  expect(first).toMatchObject({
    isCreated: true,
    rule: {
      id,
      bindingId: null,
      domainId: null,
      position: 0,
      conditions: {
        senders: ["<>", "pest@xn--bcher-kva.example", "shop.example"],
        clientNetworks: ["192.0.2.7/32", "2001:db8::/32"],
        tags: ["run42", ""],
        subjectContains: ["buy now"],
        listIds: ["offers.shop.example"],
        dmarc: ["fail"],
        largerThan: 10,
      },
      actions: { refuse: true },
      hits: 0,
    },
  });
  expect(first.rule.actions).toEqual({ refuse: true });
  const again = await bindings.client.putRule({ ...first.rule, name: "Pests" });
  expect(again).toMatchObject({
    isCreated: false,
    rule: { ...first.rule, name: "Pests", updatedAt: expect.anything() },
  });
  expect(await idsOf()).toEqual([id]);
});

test.each([
  [{ conditions: { from: ["nobody"] } }, "conditions.from[0]"],
  [{ conditions: { from: [] } }, "conditions.from"],
  [{ conditions: { senders: ["a@b.example", "a b@c.example"] } }, "conditions.senders[1]"],
  [{ conditions: { clientNetworks: ["10.0.0.0/33"] } }, "conditions.clientNetworks[0]"],
  [{ conditions: { subjectContains: ["  "] } }, "conditions.subjectContains[0]"],
  [{ conditions: { listIds: ["x".repeat(255)] } }, "conditions.listIds[0]"],
  [{ conditions: { tags: Array.from({ length: 51 }, String) } }, "conditions.tags"],
  [{ conditions: { largerThan: -1 } }, "conditions.largerThan"],
  [{ actions: { refuse: true, keepOnly: true } }, "actions.keepOnly"],
  [{ actions: { tagSubject: "a\r\nBcc: x" } }, "actions.tagSubject"],
  [{ actions: { tagSubject: "x".repeat(41) } }, "actions.tagSubject"],
  [{ actions: { limitPerHour: -1 } }, "actions.limitPerHour"],
  [{ actions: { forwardTo: ["stranger@far.example"] } }, "actions.forwardTo[0]"],
  [{ actions: { forwardTo: [`x@${serviceDomain}`] } }, "actions.forwardTo[0]"],
  [{ id: "7" }, "id"],
  [{ position: -1 }, "position"],
  [{ name: "a\nb" }, "name"],
] as const)("%j is refused at %s, and nothing is made", async (rule, field) => {
  await expect(put(rule as never)).rejects.toMatchObject({ kind: "ValidationFailed", fieldFault: { field } });
  expect(await idsOf()).toEqual([]);
});

test("a route has the rules of its binding, then of its domain, then of the account; expired ones are left out", async () => {
  const name = `own${accounts}.example`;
  const domainId = await bindings.verifiedDomain(ownerId, name);
  const { binding } = await bindings.client.create({ ownerId, proxyAddress: `a@${name}` });
  const account = await put({ name: "account" });
  await put({ name: "gone", expiresAt: new Date(Date.now() - 1_000).toISOString() });
  const domain = await put({ domainId });
  const one = await put({ bindingId: binding.id, actions: { forwardTo: [own] } });
  const two = await put({ bindingId: binding.id, position: 0, conditions: { from: ["x.example"], tags: ["a"] } });
  expect(await routeRules(`A+tag@${name}`)).toMatchObject([
    { id: two.id, title: "tag a, from x.example" },
    { id: one.id, title: "every message", actions: { forwardTo: [{ address: own }] } },
    { id: domain.id },
    { id: account.id, title: "account" },
  ]);
  expect(await routeRules()).toMatchObject([{ id: account.id }]);
  await bindings.client.setDomainPatterns({ ownerId, id: domainId, patterns: [{ glob: "*" }] });
  expect(await routeRules(`new@${name}`)).toMatchObject([{ id: domain.id }, { id: account.id }]);
  await bindings.client.removeDomain({ ownerId, id: domainId });
  expect(await idsOf()).not.toContain(domain.id);
  await bindings.client.remove({ ownerId, id: binding.id });
  expect(await idsOf()).toHaveLength(2);
});

test("a rule forwards to what is verified and switched on now", async () => {
  await put({ actions: { forwardTo: [own] } });
  expect(await routeRules()).toMatchObject([{ actions: { forwardTo: [{ address: own }] } }]);
  await bindings.db.query("update owner set own_address_verified_at = null where id = $1", [ownerId]);
  await bindings.db.query("update real_address set verified_at = null where owner_id = $1", [ownerId]);
  expect(await routeRules()).toMatchObject([{ actions: { forwardTo: [] } }]);
});

test("rules keep their order without gaps, however they are moved and removed", async () => {
  const [a, b, c] = [await put({}), await put({}), await put({})].map(({ id }) => id);
  expect(await idsOf()).toEqual([a, b, c]);
  await bindings.client.moveRule({ ownerId, id: c ?? "", position: 0 });
  expect(await idsOf()).toEqual([c, a, b]);
  await bindings.client.moveRule({ ownerId, id: c ?? "", position: 99 });
  expect(await idsOf()).toEqual([a, b, c]);
  await bindings.client.removeRule({ ownerId, id: a ?? "" });
  expect((await bindings.client.listRules({ ownerId })).map(({ position }) => position)).toEqual([0, 1]);
  const moved = await put({ id: b, bindingId });
  expect(moved).toMatchObject({ bindingId, position: 0 });
  expect(await idsOf({ bindingId })).toEqual([b]);
});

test("what an update leaves out stays", async () => {
  const { id } = await put({ name: "x", conditions: { tags: ["a"] }, actions: { discard: true } });
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  expect(await bindings.client.updateRule({ ownerId, id, expiresAt })).toMatchObject({ name: "x", expiresAt });
  const changed = await bindings.client.updateRule({ ownerId, id, conditions: {}, expiresAt: null });
  expect(changed).toMatchObject({ conditions: {}, actions: { discard: true }, expiresAt: null });
});

test("64 rules for one address at most, those of its domain and of the account included", async () => {
  const rows = (scope: string | null, count: number) =>
    bindings.db.query(
      `insert into rule (id, owner_id, binding_id, position, conditions, actions)
       select gen_random_uuid(), $1, $2, at, '{}', '{}' from generate_series(0, $3 - 1) as at`,
      [ownerId, scope, count],
    );
  await rows(bindingId, 40);
  await rows(null, 23);
  await put({});
  await expect(put({})).rejects.toMatchObject({ kind: "QuotaExceeded" });
  await expect(put({ bindingId })).rejects.toMatchObject({ kind: "QuotaExceeded" });
  await expect(
    bindings.client.blockSender({ ownerId, bindingId, isForAccount: true, from: "a@b.example", sender: "" }),
  ).rejects.toMatchObject({ kind: "QuotaExceeded" });
  expect(await routeRules()).toHaveLength(64);
  const { binding } = await bindings.client.create({ ownerId });
  await put({ bindingId: binding.id });
});

test("what routes would have to carry is bounded", async () => {
  const subjectContains = Array.from({ length: 50 }, (_, at) => `${at}`.padEnd(250, "x"));
  await put({ conditions: { subjectContains } });
  await expect(put({ conditions: { subjectContains } })).rejects.toMatchObject({ fieldFault: { field: "conditions" } });
  await put({ bindingId, conditions: { subjectContains } });
});

test("somebody else's rules, bindings and domains are not there; the same id is each account's own", async () => {
  const { id } = await put({});
  const stranger = bindings.account();
  await expect(bindings.client.removeRule({ ownerId: stranger, id })).rejects.toMatchObject({ kind: "NotFound" });
  const foreign = await bindings.client.putRule({ ownerId: stranger, id, name: "theirs" });
  expect(foreign).toMatchObject({ isCreated: true });
  for (const change of [
    bindings.client.putRule({ ownerId: stranger, bindingId }),
    bindings.client.listRules({ ownerId: stranger, bindingId }),
    bindings.client.moveRule({ ownerId: stranger, id: newId(), position: 0 }),
    bindings.client.updateRule({ ownerId: stranger, id: "7", name: "" }),
    bindings.client.putRule({ ownerId: stranger, domainId: newId() }),
  ])
    await expect(change).rejects.toMatchObject({ kind: "NotFound" });
  expect(await bindings.client.getRules({ ownerId, ids: [id] })).toMatchObject([{ name: "" }]);
});

test("an author is blocked once, before all other rules; without an author the envelope sender is", async () => {
  await put({ bindingId });
  const block = (from: string | null, sender: string, isForAccount = false) =>
    bindings.client.blockSender({ ownerId, bindingId, isForAccount, from, sender });
  const rule = await block("Pest@X.example", "bounce@esp.example");
  expect(rule).toMatchObject({
    bindingId,
    position: 0,
    conditions: { from: ["pest@x.example"] },
    actions: { refuse: true },
  });
  expect((await block("pest@x.example", "other@esp.example")).id).toBe(rule.id);
  expect(await block(null, "bounce@esp.example", true)).toMatchObject({
    bindingId: null,
    conditions: { senders: ["bounce@esp.example"] },
  });
  await expect(block(null, "")).rejects.toMatchObject({ fieldFault: { field: "emailId" } });
});

test("hits are added up, by events and by what ingress refused; those of an unknown rule are dropped", async () => {
  const { id } = await put({});
  const lastAt = "2026-03-01T12:00:00.000Z";
  await bindings.client.countRuleHits({
    hits: [
      { ownerId, ruleId: id, count: 3, lastAt },
      { ownerId, ruleId: newId(), count: 1, lastAt },
      { ownerId: newId(), ruleId: id, count: 5, lastAt },
    ],
  });
  expect(await bindings.client.getRules({ ownerId, ids: [id] })).toMatchObject([{ hits: 3, lastHitAt: lastAt }]);
});

test("nothing of a closed account's rules is left", async () => {
  await put({ bindingId });
  await put({});
  await bindings.hear(topics.accountClosed, { accountId: ownerId });
  const { rowCount } = await bindings.db.query("select from rule where owner_id = $1", [ownerId]);
  expect(rowCount).toBe(0);
});
