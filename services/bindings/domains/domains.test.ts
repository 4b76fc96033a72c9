import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { hourMs } from "../../platform/durations.ts";
import { ServedDomains } from "../addresses/served-domains.ts";
import { type BindingsUnderTest, keysOf, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";
import { DomainChecks } from "./checks.ts";
import { NameServers } from "./name-servers.ts";
import type { Domain } from "./rows.ts";

const host = "mx.postern.example";

let bindings: BindingsUnderTest;
let dns: DnsServer;
let checks: DomainChecks;
let now = new Date();
let names = 0;
let name = "";
let ownerId = "";

beforeAll(async () => {
  dns = await DnsServer.start({});
  bindings = await startBindings({ DNS_SERVERS: dns.address, MAIL_HOSTS: host, QUOTA_DOMAINS: "3" });
  checks = new DomainChecks({
    db: bindings.db,
    domains: new ServedDomains({ SERVICE_DOMAIN: serviceDomain, internalDomains: [] }),
    nameServers: new NameServers([dns.address]),
    keysOf: async (domainId) => keysOf(domainId),
    hosts: [host],
    isDelegated: false,
    serviceName: "postern",
    now: () => now,
  });
});

afterAll(async () => {
  await bindings.stop();
  await dns.stop();
});

beforeEach(() => {
  names += 1;
  name = `own${names}.example`;
  ownerId = bindings.account(`owner${names}@example.org`);
});

/** Publishes what a domain's records say. */
function publishAll({ records }: Pick<Domain, "records">): void {
  for (const record of records) if (record.expected) dns.zone[`${record.name} ${record.type}`] = [record.expected];
}

function withdraw(question: string): void {
  delete dns.zone[question];
}

async function added(owner = ownerId): Promise<Domain> {
  return (await bindings.client.addDomain({ ownerId: owner, name })).domain;
}

async function verified(owner = ownerId): Promise<Domain> {
  const domain = await added(owner);
  publishAll(domain);
  return bindings.client.checkDomain({ ownerId: owner, id: domain.id });
}

/** A check that many hours after the last one. */
async function checkAfter(hours: number, { id, ownerId: owner }: Domain): Promise<string> {
  now = new Date(now.getTime() + hours * hourMs);
  await checks.check(id);
  return (await bindings.client.domain({ ownerId: owner, id })).state;
}

async function noticesTo(owner: string): Promise<string[]> {
  const notices = await bindings.said(topics.noticeRequested);
  return notices.filter(({ accountId }) => accountId === owner).map(({ kind }) => kind);
}

test("a new domain shows what is expected before anybody was asked", async () => {
  const domain = await added();
  const [key] = keysOf(domain.id);
  expect(domain).toMatchObject({ name, state: "unverified", checkedAt: null });
  const other = { found: "", verdict: "unknown", keyStage: null, keepUntil: null };
  expect(domain.records).toEqual(
    expect.arrayContaining([
      {
        name: `_postern.${name}`,
        type: "TXT",
        expected: expect.stringMatching(/^postern-verify=[0-9a-f]{40}$/),
        ...other,
      },
      { name, type: "MX", expected: `10 ${host}`, ...other },
      { name: `r1._domainkey.${name}`, type: "TXT", expected: key?.value, ...other, keyStage: "current" },
    ]),
  );
  expect(await bindings.client.addDomain({ ownerId, name: ` ${name.toUpperCase()}.` })).toEqual({
    domain,
    isCreated: false,
  });
});

test("it is verified once its records are there, and others are told", async () => {
  const domain = await added();
  expect(await checkAfter(1, domain)).toBe("unverified");
  publishAll(domain);
  withdraw(`e1._domainkey.${name} TXT`);
  expect(await checkAfter(1, domain)).toBe("verified");
  const expected = { domainId: domain.id, ownerId, name, state: "verified", epoch: 1, publishedSelectors: ["r1"] };
  expect((await bindings.said(topics.domainChanged)).at(-1)).toMatchObject(expected);
  publishAll(domain);
  await checkAfter(6, domain);
  expect((await bindings.said(topics.domainChanged)).at(-1)).toMatchObject({ publishedSelectors: ["e1", "r1"] });
  const { records } = await bindings.client.domain({ ownerId, id: domain.id });
  expect(new Set(records.map(({ verdict }) => verdict))).toEqual(new Set(["ok"]));
});

test("the stub name server walks it through every state", async () => {
  const domain = await verified();
  withdraw(`_postern.${name} TXT`);
  const states: string[] = [];
  for (const hours of [6, 6, 6, 6, 6]) states.push(await checkAfter(hours, domain));
  expect(states).toEqual(["verified", "verified", "verified", "verified", "broken"]);
  expect(await noticesTo(ownerId)).toEqual(["domain-broken"]);
  expect(await checkAfter(72, domain)).toBe("broken");
  expect(await checkAfter(1, domain)).toBe("broken");
  expect(await checkAfter(96, domain)).toBe("broken");
  expect(await noticesTo(ownerId)).toEqual(Array(3).fill("domain-broken"));
  publishAll(domain);
  expect(await checkAfter(6, domain)).toBe("verified");
  expect(await noticesTo(ownerId)).toContain("domain-restored");
});

test.each(["SERVFAIL", "SILENCE"])("%s for 7 days changes nothing", async (failure) => {
  const domain = await verified();
  const before = await bindings.client.domain({ ownerId, id: domain.id });
  const published = (await bindings.said(topics.domainChanged)).length;
  for (const question of Object.keys(dns.zone)) if (question.includes(name)) dns.zone[question] = [failure];
  for (let day = 0; day < (failure === "SILENCE" ? 1 : 8); day++) await checkAfter(24, domain);
  const after = await bindings.client.domain({ ownerId, id: domain.id });
  expect(after).toEqual({ ...before, checkedAt: now.toISOString() });
  expect(await bindings.said(topics.domainChanged)).toHaveLength(published);
  expect(await noticesTo(ownerId)).toEqual([]);
});

test("while forwarder is gone the rest is looked at, and no key is taken for gone", async () => {
  const domain = await verified();
  withdraw(`_postern.${name} TXT`);
  bindings.isForwarderGone = true;
  const looked = await bindings.client.checkDomain({ ownerId, id: domain.id });
  bindings.isForwarderGone = false;
  expect(looked.records.find(({ type }) => type === "TXT")).toMatchObject({ verdict: "missing" });
  expect(looked.records.filter(({ name: record }) => record.includes("_domainkey"))).toHaveLength(2);
  expect((await bindings.said(topics.domainChanged)).at(-1)).toMatchObject({ publishedSelectors: ["e1", "r1"] });
});

test("addresses of a verified domain are its owner's to give, and mail to postmaster and abuse is the owner's", async () => {
  const wanted = { ownerId, proxyAddress: `sales@${name}` };
  await added();
  await expect(bindings.client.create(wanted)).rejects.toMatchObject({ kind: "ValidationFailed" });
  await verified();
  const { binding } = await bindings.client.create(wanted);
  const addresses = [`sales@${name}`, `postmaster@${name}`, `Abuse+x@${name}`, `nobody@${name}`];
  expect(await bindings.client.resolve({ addresses })).toMatchObject([
    { outcome: "route", route: { bindingId: binding.id } },
    { outcome: "route", route: { ownerId, targets: [{ address: `owner${names}@example.org` }] } },
    { outcome: "route", route: { ownerId, proxyAddress: `postmaster@${name}` } },
    { outcome: "unknown" },
  ]);
  const reserved = { ownerId, proxyAddress: `postmaster@${name}x` };
  await expect(bindings.client.create(reserved)).rejects.toMatchObject({ kind: "ValidationFailed" });
  await expect(bindings.client.create({ ownerId, proxyAddress: `abuse@${name}` })).rejects.toMatchObject({
    kind: "ValidationFailed",
  });
  const other = bindings.account();
  await expect(bindings.client.create({ ...wanted, ownerId: other })).rejects.toMatchObject({
    kind: "ValidationFailed",
  });
});

test("mail to postmaster is kept, where the account's own address is on the domain itself", async () => {
  ownerId = bindings.account(`me@${name}`);
  await verified();
  expect(await bindings.client.resolve({ addresses: [`postmaster@${name}`] })).toMatchObject([
    { outcome: "route", route: { ownerId, targets: [], isBrowsable: true, refusal: null } },
  ]);
});

test("a removed domain takes no mail, until its owner proves it again; then its addresses are as they were", async () => {
  const domain = await verified();
  const proxyAddress = `me@${name}`;
  const { binding } = await bindings.client.create({ ownerId, proxyAddress });
  await bindings.client.removeDomain({ ownerId, id: domain.id });
  expect(await bindings.client.resolve({ addresses: [proxyAddress] })).toMatchObject([{ outcome: "foreign" }]);
  expect((await bindings.said(topics.domainChanged)).at(-1)).toMatchObject({ domainId: domain.id, state: "removed" });
  await verified();
  expect(await bindings.client.resolve({ addresses: [proxyAddress] })).toMatchObject([
    { outcome: "route", route: { bindingId: binding.id } },
  ]);
});

test("a local part that was released stays with its former owner while the domain is theirs", async () => {
  await verified();
  const proxyAddress = `me@${name}`;
  const { binding } = await bindings.client.create({ ownerId, proxyAddress });
  await bindings.client.remove({ ownerId, id: binding.id });
  expect((await bindings.client.create({ ownerId, proxyAddress })).isCreated).toBe(true);
});

test("a domain is one of 3 at most, looked at by hand 20 times an hour, and nobody else's", async () => {
  const domain = await added();
  for (const another of ["a", "b"]) await bindings.client.addDomain({ ownerId, name: `${another}.${name}` });
  await expect(bindings.client.addDomain({ ownerId, name: `c.${name}` })).rejects.toMatchObject({
    kind: "QuotaExceeded",
  });
  const check = () => bindings.client.checkDomain({ ownerId, id: domain.id });
  for (let count = 0; count < 20; count++) await check();
  await expect(check()).rejects.toMatchObject({ kind: "RateLimited" });
  const stranger = bindings.account();
  for (const id of [domain.id, "nonsense"]) {
    const asked = { ownerId: stranger, id };
    for (const refused of [
      bindings.client.domain(asked),
      bindings.client.checkDomain(asked),
      bindings.client.removeDomain(asked),
    ])
      await expect(refused).rejects.toMatchObject({ kind: "NotFound" });
  }
  expect(await bindings.client.domains({ ownerId: stranger })).toEqual([]);
  expect(await bindings.client.domains({ ownerId })).toHaveLength(3);
});

test("those that are due are looked at by themselves", async () => {
  const domain = await added();
  publishAll(domain);
  const task = bindings.task("domain-checks");
  task.start();
  await eventually(async () => {
    expect(await bindings.client.domain({ ownerId, id: domain.id })).toMatchObject({ state: "verified" });
  });
  await task.stop();
  const { rows } = await bindings.db.query<{ hours: number }>(
    "select extract(epoch from due_at - checked_at)::float8 / 3600 as hours from domain where id = $1",
    [domain.id],
  );
  expect(rows[0]?.hours).toBeGreaterThan(6 * 0.79);
  expect(rows[0]?.hours).toBeLessThan(6 * 1.21);
});
