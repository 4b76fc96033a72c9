import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { topics } from "../../proto/topics.ts";
import { type BindingsUnderTest, startBindings } from "../../services/bindings/test-support/bindings-under-test.ts";
import { DnsServer } from "../support/peers/dns-server.ts";

const host = "mx.postern.example";

let bindings: BindingsUnderTest;
let dns: DnsServer;
let names = 0;
let name = "";
let owner = "";
let attacker = "";

beforeAll(async () => {
  dns = await DnsServer.start({});
  bindings = await startBindings({
    DNS_SERVERS: dns.address,
    MAIL_HOSTS: host,
    SERVICE_DOMAIN: "mail.postern.example",
  });
});

afterAll(async () => {
  await bindings.stop();
  await dns.stop();
});

beforeEach(() => {
  names += 1;
  name = `victim${names}.example`;
  owner = bindings.account();
  attacker = bindings.account();
  dns.zone[`${name} MX`] = [`10 ${host}`];
});

/** Claims the domain for an account. @returns the domain's id and the text that proves it */
async function claim(ownerId: string): Promise<{ id: string; proof: string }> {
  const { domain } = await bindings.client.addDomain({ ownerId, name });
  const proof = domain.records.find((record) => record.name === `_postern.${name}`)?.expected ?? "";
  return { id: domain.id, proof };
}

function publish(...proofs: string[]): void {
  dns.zone[`_postern.${name} TXT`] = proofs;
}

const check = async (ownerId: string, id: string) => (await bindings.client.checkDomain({ ownerId, id })).state;

async function outcomeOf(address: string) {
  const [resolution] = await bindings.client.resolve({ addresses: [address] });
  return resolution?.outcome === "route" ? resolution.route.ownerId : resolution?.outcome;
}

/** Whether an answer to a reverse address may be taken: it has to leave signed. */
async function expectSignable(address: string, isSignable: boolean): Promise<void> {
  const [resolution] = await bindings.client.resolve({ addresses: [address] });
  expect(resolution).toMatchObject({ outcome: "reverse", reverse: { isSignable } });
}

test("a squatter who claims domains first keeps nobody from them", async () => {
  const squatted = await claim(attacker);
  expect(await check(attacker, squatted.id)).toBe("unverified");
  const own = await claim(owner);
  expect(own.proof).not.toBe(squatted.proof);
  publish(own.proof);
  expect(await check(owner, own.id)).toBe("verified");
  expect(await check(attacker, squatted.id)).toBe("unverified");
  await expect(bindings.client.create({ ownerId: attacker, proxyAddress: `me@${name}` })).rejects.toMatchObject({
    kind: "ValidationFailed",
  });
});

test("nobody takes a domain over while its name servers fail, or while its owner's record is there", async () => {
  const [own, other] = [await claim(owner), await claim(attacker)];
  publish(own.proof);
  await check(owner, own.id);
  dns.zone[`_postern.${name} TXT`] = ["SERVFAIL"];
  expect(await check(attacker, other.id)).toBe("unverified");
  expect(await check(owner, own.id)).toBe("verified");
  publish(own.proof, other.proof);
  await expect(check(attacker, other.id)).rejects.toMatchObject({ kind: "Conflict" });
  expect(await check(owner, own.id)).toBe("verified");
});

test("a name server that lies about one record once takes no domain away", async () => {
  const [own, other] = [await claim(owner), await claim(attacker)];
  publish(own.proof);
  await check(owner, own.id);
  // The first answer that the attacker's check gets names the attacker, and the second one the owner.
  const answers = [[other.proof], [own.proof]];
  Object.defineProperty(dns.zone, `_postern.${name} TXT`, { configurable: true, get: () => answers.shift() ?? [] });
  await expect(check(attacker, other.id)).rejects.toMatchObject({ kind: "Conflict" });
  Object.defineProperty(dns.zone, `_postern.${name} TXT`, { value: [own.proof], writable: true, configurable: true });
  expect(await check(owner, own.id)).toBe("verified");
  // Nor does one that answers for ownership alone, while mail goes elsewhere.
  publish(other.proof);
  dns.zone[`${name} MX`] = ["10 mx.elsewhere.example"];
  expect(await check(attacker, other.id)).toBe("unverified");
  expect(await check(owner, own.id)).toBe("verified");
});

test("after a takeover the old addresses lead nowhere, and the new owner can have them", async () => {
  const own = await claim(owner);
  publish(own.proof);
  await check(owner, own.id);
  const proxyAddress = `me@${name}`;
  const { binding } = await bindings.client.create({ ownerId: owner, proxyAddress });
  expect(await outcomeOf(proxyAddress)).toBe(owner);
  const next = await claim(attacker);
  publish(next.proof);
  expect(await check(attacker, next.id)).toBe("verified");
  expect(await outcomeOf(proxyAddress)).toBe("unknown");
  expect(await outcomeOf(`postmaster@${name}`)).toBe(attacker);
  const taken = await bindings.client.create({ ownerId: attacker, proxyAddress });
  expect(taken.isCreated).toBe(true);
  expect(await outcomeOf(proxyAddress)).toBe(attacker);
  // The former owner still sees what was received, can change the rest of the binding, and gets no mail by it.
  const kept = await bindings.client.update({ ownerId: owner, id: binding.id, proxyAddress, description: "was mine" });
  expect(kept.binding).toMatchObject({ proxyAddress, description: "was mine" });
  expect(await bindings.client.domain({ ownerId: owner, id: own.id })).toMatchObject({ state: "removed" });
  const states = (await bindings.said(topics.domainChanged)).filter((changed) => changed.name === name);
  expect(states.map(({ domainId, state, epoch }) => [domainId, state, epoch])).toEqual([
    [own.id, "verified", 1],
    [own.id, "removed", 1],
    [next.id, "verified", 2],
  ]);
  // Nobody has the domain without proving it: neither by removing the other's, nor by what was proved once.
  await expect(check(owner, own.id)).resolves.toBe("removed");
});

test("a reverse address leads nowhere once its domain is another's, or nobody's", async () => {
  const own = await claim(owner);
  publish(own.proof);
  await check(owner, own.id);
  const { binding } = await bindings.client.create({ ownerId: owner, proxyAddress: `me@${name}` });
  const address = "friend@outside.example";
  const { reverseAddress } = await bindings.client.createContact({ ownerId: owner, bindingId: binding.id, address });
  expect(reverseAddress).toMatch(new RegExp(`^re\\+.*@${name}$`));
  expect(await outcomeOf(reverseAddress)).toBe("reverse");
  await expectSignable(reverseAddress, false);
  const { records } = await bindings.client.domain({ ownerId: owner, id: own.id });
  for (const record of records)
    if (record.name.includes("_domainkey")) dns.zone[`${record.name} TXT`] = [record.expected];
  await check(owner, own.id);
  await expectSignable(reverseAddress, true);
  const next = await claim(attacker);
  publish(next.proof);
  await check(attacker, next.id);
  expect(await outcomeOf(reverseAddress)).toBe("unknown");
  await bindings.client.removeDomain({ ownerId: attacker, id: next.id });
  expect(await outcomeOf(reverseAddress)).toBe("foreign");
});

test("a closed account's addresses are free with the domain's next owner, not before", async () => {
  const own = await claim(owner);
  publish(own.proof);
  await check(owner, own.id);
  await bindings.client.create({ ownerId: owner, proxyAddress: `me@${name}` });
  await bindings.hear(topics.accountClosed, { accountId: owner });
  expect(await outcomeOf(`me@${name}`)).toBe("foreign");
  const next = await claim(attacker);
  publish(next.proof);
  expect(await check(attacker, next.id)).toBe("verified");
  expect((await bindings.client.create({ ownerId: attacker, proxyAddress: `me@${name}` })).isCreated).toBe(true);
});

test.each([
  "mail.postern.example",
  "postern.example",
  "x.mail.postern.example.",
  "MAIL.POSTERN.EXAMPLE",
  "co.uk",
  "com",
])("%s is nobody's own", async (wanted) => {
  await expect(bindings.client.addDomain({ ownerId: attacker, name: wanted })).rejects.toMatchObject({
    kind: "ValidationFailed",
  });
});

test("huge answers, and none at all, end a check in time and are shown cut", async () => {
  const own = await claim(owner);
  // Over UDP this is cut off, and nobody answers over TCP: no certain answer. The other answers fit, and are long.
  dns.zone[`_postern.${name} TXT`] = Array.from({ length: 30 }, () => "x".repeat(2_000));
  dns.zone[`_dmarc.${name} TXT`] = [`v=DMARC1; p=none; ${"x".repeat(900)}`];
  dns.zone[`${name} TXT`] = ["SILENCE"];
  expect(await check(owner, own.id)).toBe("unverified");
  const { records } = await bindings.client.domain({ ownerId: owner, id: own.id });
  expect(JSON.stringify(records).length).toBeLessThan(20_000);
});

test("two accounts that prove a domain at the same time: one has it", async () => {
  const [own, other] = [await claim(owner), await claim(attacker)];
  publish(own.proof, other.proof);
  const outcomes = await Promise.allSettled([check(owner, own.id), check(attacker, other.id)]);
  const proved = outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value === "verified");
  expect(proved).toHaveLength(1);
});
