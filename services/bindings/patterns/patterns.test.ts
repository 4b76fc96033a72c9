import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;
let names = 0;
let name = "";
let own = "";
let ownerId = "";
let id = "";

beforeAll(async () => {
  bindings = await startBindings({ QUOTA_BINDINGS: "1" });
});
afterAll(() => bindings.stop());

beforeEach(async () => {
  names += 1;
  name = `own${names}.example`;
  own = `owner${names}@inbox.example`;
  ownerId = bindings.account(own);
  id = await bindings.verifiedDomain(ownerId, name);
});

const set = (...patterns: { glob: string; targets?: string[]; creates?: boolean; perHour?: number }[]) =>
  bindings.client.setDomainPatterns({ ownerId, id, patterns });

async function resolve(...localParts: string[]) {
  return bindings.client.resolve({ addresses: localParts.map((part) => `${part}@${name}`) });
}

const outcomes = async (...localParts: string[]) => (await resolve(...localParts)).map(({ outcome }) => outcome);

/** As if ingress had taken mail by the routes that addresses have now. */
async function arrive(...localParts: string[]): Promise<string[]> {
  const mail = (await resolve(...localParts)).map((resolution) => {
    if (resolution.outcome !== "route") throw new Error(`no route: ${resolution.outcome}`);
    const { bindingId, proxyAddress, targets, isBrowsable } = resolution.route;
    return { emailId: newId(), bindingId, ownerId, proxyAddress, targets, isBrowsable };
  });
  await bindings.hear(topics.mailAccepted, ...mail);
  return mail.map(({ bindingId }) => bindingId);
}

async function made(): Promise<string[]> {
  const { rows } = await bindings.db.query<{ address: string }>(
    "select proxy_address as address from binding where own_domain = $1 and is_from_pattern order by 1",
    [name],
  );
  return rows.map(({ address }) => address);
}

test("the order is the binding, its subaddress, the patterns, and the catch-all", async () => {
  const { binding } = await bindings.client.create({ ownerId, proxyAddress: `shop-own@${name}` });
  await set({ glob: "shop-{spam,evil}*", creates: false }, { glob: "shop-*", targets: [own] }, { glob: "*" });
  const [bound, tagged, refused, shop, caught] = await resolve("shop-own", "shop-own+x", "shop-spam1", "SHOP-a", "any");
  const route = { bindingId: binding.id };
  expect([bound, tagged]).toMatchObject([
    { outcome: "route", route },
    { outcome: "route", route },
  ]);
  expect(refused).toMatchObject({ outcome: "unknown" });
  expect(shop).toMatchObject({
    outcome: "route",
    route: { proxyAddress: `shop-a@${name}`, targets: [{ address: own }] },
  });
  expect(caught).toMatchObject({ outcome: "route", route: { targets: [], isBrowsable: true } });
  expect(await bindings.client.domainPatterns({ ownerId, id })).toMatchObject([{ perHour: 20 }, {}, { glob: "*" }]);
});

test("a thousand questions make no row, and 50 first mails at once make one binding", async () => {
  await set({ glob: "*", targets: [own] });
  const asked = Array.from({ length: 1_000 }, (_, at) => `harvest${at}`);
  expect(new Set(await outcomes(...asked))).toEqual(new Set(["route"]));
  expect(await made()).toEqual([]);
  const ids = await arrive(...Array.from({ length: 50 }, (_, at) => (at % 2 ? "first" : "First+tag")));
  expect(new Set(ids).size).toBe(1);
  expect(await made()).toEqual([`first@${name}`]);
  expect(await bindings.client.get({ ownerId, id: ids[0] ?? "" })).toMatchObject({
    receivedEmails: 50,
    isAutomatic: true,
    realAddresses: [{ address: own, isVerified: true, isEnabled: true }],
  });
  // It stands outside the quota, which is 1.
  await bindings.client.create({ ownerId });
  expect(await resolve("first+other")).toMatchObject([{ outcome: "route", route: { bindingId: ids[0] } }]);
});

test("a removed address stays dead, also for mail that was accepted before", async () => {
  await set({ glob: "*" });
  const [late] = await resolve("gone");
  const [bindingId = ""] = await arrive("gone");
  await bindings.client.remove({ ownerId, id: bindingId });
  expect(await outcomes("gone", "gone+tag")).toEqual(["unknown", "unknown"]);
  if (late?.outcome !== "route") throw new Error("no route");
  const { proxyAddress } = late.route;
  await bindings.hear(topics.mailAccepted, { emailId: newId(), bindingId, ownerId, proxyAddress, isBrowsable: true });
  expect(await made()).toEqual([]);
});

test("20 new addresses an hour, or as many as the pattern says; those that are there go on", async () => {
  await set({ glob: "few-*", perHour: 2 }, { glob: "*" });
  await arrive("few-1", "few-2");
  expect(await outcomes("few-3", "few-1", "other")).toEqual(["limited", "route", "route"]);
  await arrive(...Array.from({ length: 18 }, (_, at) => `many${at}`));
  expect(await outcomes("other", "few-1")).toEqual(["limited", "route"]);
  await bindings.db.query("update binding set created_at = now() - interval '2 hours' where own_domain = $1", [name]);
  expect(await outcomes("other")).toEqual(["route"]);
});

test.each([
  [100, "2 hours"],
  [1_000, "2 days"],
])("with %p new addresses that are %s old a domain takes no more", async (limit, age) => {
  await set({ glob: "*" });
  const insert = `insert into promised_address (binding_id, domain_id, promised_at)
                  select gen_random_uuid(), $1, now() - $2::interval from generate_series(1, $3::integer)`;
  await bindings.db.query(insert, [id, age, limit - 1]);
  expect(await outcomes("last")).toEqual(["route"]);
  await bindings.db.query(insert, [id, age, 1]);
  expect(await outcomes("last")).toEqual(["limited"]);
});

test("a mail makes nothing where its id is not the one of domain, epoch and address", async () => {
  await set({ glob: "*" });
  const forged = { emailId: newId(), bindingId: newId(), ownerId, proxyAddress: `x@${name}`, isBrowsable: true };
  const [promised] = await resolve("later");
  await bindings.hear(topics.mailAccepted, forged);
  await bindings.db.query("update domain set epoch = 2 where id = $1", [id]);
  if (promised?.outcome !== "route") throw new Error("no route");
  const { bindingId, proxyAddress } = promised.route;
  await bindings.hear(topics.mailAccepted, { emailId: newId(), bindingId, ownerId, proxyAddress, isBrowsable: true });
  expect(await made()).toEqual([]);
});

test("a target that stands there twice is one, also in a pattern that was stored before", async () => {
  const [stored] = await set({ glob: "*", targets: [own, own.toUpperCase()] });
  expect(stored?.targets).toEqual([own]);
  await bindings.db.query("update pattern set targets = $2 where domain_id = $1", [id, [own, own.toUpperCase(), own]]);
  const [bindingId = ""] = await arrive("twice");
  const { realAddresses } = await bindings.client.get({ ownerId, id: bindingId });
  expect(realAddresses.map(({ address }) => address)).toEqual([own]);
});

const reserve = async (...localParts: string[]) => {
  const addresses = (await resolve(...localParts)).flatMap((each) => {
    if (each.outcome !== "route" || !each.route.newAddress) throw new Error(`no new address: ${each.outcome}`);
    const { domainId, perHour } = each.route.newAddress;
    return [{ bindingId: each.route.bindingId, domainId, perHour }];
  });
  return { addresses, keep: () => bindings.client.reserveNewAddresses({ addresses }) };
};

test("new addresses count once mail to them is to be accepted, each once, before their bindings are made", async () => {
  await set({ glob: "*", perHour: 3 });
  const [first, second] = [await reserve("a", "b"), await reserve("c", "d")];
  await Promise.all([first.keep(), first.keep()]);
  expect(await resolve("e")).toMatchObject([{ route: { newAddress: { remaining: 1 } } }]);
  await expect(second.keep()).rejects.toMatchObject({ kind: "RateLimited" });
  expect(await resolve("e")).toMatchObject([{ route: { newAddress: { remaining: 1 } } }]);
  await arrive("a");
  expect(await resolve("e")).toMatchObject([{ route: { newAddress: { remaining: 1 } } }]);
  await (await reserve("e")).keep();
  expect(await outcomes("f", "a")).toEqual(["limited", "route"]);
  expect(await made()).toEqual([`a@${name}`]);
});

test("many at once count no more than one after another", async () => {
  await set({ glob: "*", perHour: 5 });
  const asked = await Promise.all(Array.from({ length: 12 }, (_, at) => reserve(`at-once${at}`)));
  const kept = await Promise.allSettled(asked.map(({ keep }) => keep()));
  expect(kept.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
});

test("a target counts while it is verified and switched on; without any the mail is refused, as a binding's would be", async () => {
  const target = `second${names}@inbox.example`;
  const { binding } = await bindings.client.create({ ownerId, realAddresses: [target] });
  const change = (what: string) =>
    bindings.db.query(`update real_address set ${what} where binding_id = $1`, [binding.id]);
  await change("verified_at = now()");
  await set({ glob: "both", targets: [own, target] }, { glob: "*", targets: [target] });
  const [late] = await resolve("late");
  for (const [what, refusal] of [
    ["is_enabled = false", { reason: "switched-off", isTemporary: false }],
    ["suspended_at = now()", { reason: "suspended", isTemporary: true }],
  ] as const) {
    await change(what);
    expect(await resolve("one", "both")).toMatchObject([
      { route: { targets: [], isBrowsable: false, refusal } },
      { route: { targets: [{ address: own }], refusal: null } },
    ]);
  }
  await change("verified_at = null, is_enabled = true, suspended_at = null");
  if (late?.outcome !== "route") throw new Error("no route");
  const { bindingId, proxyAddress, targets } = late.route;
  const mail = { emailId: newId(), bindingId, ownerId, proxyAddress, targets, isBrowsable: false };
  await bindings.hear(topics.mailAccepted, mail);
  const { realAddresses } = await bindings.client.get({ ownerId, id: bindingId });
  expect(realAddresses).toMatchObject([{ address: target, isVerified: false }]);
});

test("names that the service uses are taken by no pattern", async () => {
  await set({ glob: "*" });
  expect(await outcomes("mailer-daemon", "re", "bounce+x", "srs0=a=b=c")).toEqual(Array(4).fill("unknown"));
});

test.each([
  [{ glob: "" }, "patterns[0].glob"],
  [{ glob: "{a" }, "patterns[0].glob"],
  [{ glob: "a@b" }, "patterns[0].glob"],
  [{ glob: "a+b" }, "patterns[0].glob"],
  [{ glob: "a".repeat(65) }, "patterns[0].glob"],
  [{ glob: "*", targets: ["stranger@elsewhere.example"] }, "patterns[0].targets[0]"],
])("%j is refused, and changes nothing", async (pattern, field) => {
  await set({ glob: "kept-*" });
  await expect(set(pattern)).rejects.toMatchObject({ kind: "ValidationFailed", fieldFault: { field } });
  expect(await bindings.client.domainPatterns({ ownerId, id })).toMatchObject([{ glob: "kept-*" }]);
});

test("stars in a row are one, and all globs of a domain have 1,000 characters at most", async () => {
  expect(await set({ glob: "a**b***" })).toMatchObject([{ glob: "a*b*" }]);
  const long = Array.from({ length: 16 }, () => ({ glob: "*a".repeat(32) }));
  await expect(set(...long)).rejects.toMatchObject({ fieldFault: { field: "patterns[15].glob" } });
});

test("a target on a domain that is served here is refused: mail would go round in circles", async () => {
  const moved = `me@moved-${name}`;
  const { binding } = await bindings.client.create({ ownerId, realAddresses: [moved] });
  const verified = "update real_address set verified_at = now() where binding_id = $1";
  await bindings.db.query(verified, [binding.id]);
  await set({ glob: "*", targets: [moved] });
  await bindings.db.query("update domain set name = $2 where id = $1", [id, `moved-${name}`]);
  await expect(set({ glob: "*", targets: [moved] })).rejects.toMatchObject({ kind: "ValidationFailed" });
});

test("patterns of somebody else's domain are nobody's", async () => {
  const stranger = bindings.account();
  const reading = bindings.client.domainPatterns({ ownerId: stranger, id });
  await expect(reading).rejects.toMatchObject({ kind: "NotFound" });
  const change = bindings.client.setDomainPatterns({ ownerId: stranger, id, patterns: [] });
  await expect(change).rejects.toMatchObject({ kind: "NotFound" });
});
