import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { newId } from "../../platform/ids.ts";
import { IngressUnderTest, route } from "../test-support/ingress-under-test.ts";

type Rule = (typeof route)["rules"][number];

let dns: DnsServer;
let ingress: IngressUnderTest;
let client: SmtpClient;

beforeAll(async () => {
  dns = await DnsServer.start({
    "proved.example TXT": ["v=spf1 ip4:127.0.0.1 ip6:::1 -all"],
    "_dmarc.proved.example TXT": ["v=DMARC1; p=none"],
    "_dmarc.forged.example TXT": ["v=DMARC1; p=none"],
    "_dmarc.failing.example TXT": ["SERVFAIL"],
  });
  ingress = await IngressUnderTest.start({ DNS_SERVERS: dns.address });
});
beforeEach(async () => {
  client = await SmtpClient.open(ingress.port);
});
afterAll(async () => {
  client.destroy();
  await ingress.stop();
  await dns.stop();
});

const rule = (conditions: Rule["conditions"], actions: Partial<Rule["actions"]> = { refuse: true }): Rule => ({
  id: newId(),
  title: "a rule",
  conditions,
  actions: { forwardTo: [], ...actions },
});

const has = (name: string, rules: Rule[], differences: Partial<typeof route> = {}) =>
  ingress.bindings.routes.set(name, { ...route, bindingId: newId(), ...differences, rules });

interface Mail {
  sender?: string;
  header?: string[];
  body?: string;
}

/** The replies to each RCPT, and the one to DATA where there was one. */
async function replies(names: string[], { sender = "x@y.example", header = [], body = "x" }: Mail = {}) {
  const content = ["From: ann@shop.example", ...header, "", body, ""].join("\r\n");
  const fields = header.some((field) => field.startsWith("From:"))
    ? content.split("\r\n").slice(1).join("\r\n")
    : content;
  const recipients = names.map((name) => (name.includes("@") ? name : `${name}@postern.localhost`));
  // After MAIL FROM come one for each recipient, then DATA, then the end of the message.
  return (await client.deliver(recipients, fields, sender)).map((reply) => reply.slice(0, 9));
}

async function taken(names: string[], mail?: Mail): Promise<MailAccepted[]> {
  const last = (await replies(names, mail)).at(-1);
  if (!last?.startsWith("250")) throw new Error(last);
  return (await ingress.published()).slice(-names.length) as MailAccepted[];
}

test.each<[Rule["conditions"], Mail]>([
  [{ senders: ["y.example"] }, {}],
  [{ senders: ["<>"] }, { sender: "" }],
  [{ tags: ["run42"] }, {}],
  [{ clientNetworks: ["127.0.0.0/8"] }, {}],
])("%j refuses at RCPT", async (conditions, mail) => {
  const named = conditions.tags ? "early+Run42" : "early";
  has(named.toLowerCase(), [rule(conditions)]);
  expect(await replies([named], mail)).toContain("550 5.7.1");
  has("other", [rule({ senders: ["z.example"] }), rule({ tags: ["other"] }), rule({ clientNetworks: ["10.0.0.0/8"] })]);
  expect((await replies(["other"], mail)).at(-1)).toBe("250 2.0.0");
});

test.each<[Rule["conditions"], Mail, Mail]>([
  [{ from: ["ann@shop.example"] }, {}, { header: ["From: bob@shop.example"] }],
  [{ from: ["shop.example"] }, { header: ["From: x@a.b.SHOP.example"] }, { header: ["From: x@myshop.example"] }],
  [{ from: ["pest@x.example"] }, { header: ["From: a@b.example, pest@x.example"] }, {}],
  [{ dmarc: ["fail"] }, { header: ["From: a@forged.example"] }, { header: ["From: a@none.example"] }],
  [{ dmarc: ["pass"] }, { sender: "a@proved.example", header: ["From: a@proved.example"] }, {}],
  [{ dmarc: ["none"] }, {}, { header: ["From: a@forged.example"] }],
  [{ dmarc: ["unknown"] }, { header: ["From: a@failing.example"] }, {}],
  [{ dkim: ["none"] }, {}, { header: ["From: odd"] }],
  [{ subjectContains: ["buy now"] }, { header: ["Subject: =?utf-8?b?QlVZIE5PVw==?= !"] }, { header: ["Subject: buy"] }],
  [{ listIds: ["l.shop.example"] }, { header: ["List-Id: Us <l.shop.example>"] }, { header: ["List-Id: <x.example>"] }],
  [{ largerThan: 500 }, { body: "x".repeat(500) }, {}],
  [{ smallerThan: 500 }, {}, { body: "x".repeat(500) }],
])("%j refuses at DATA", async (conditions, matching, other) => {
  has("late", [rule(conditions)]);
  const answer = await replies(["late"], matching);
  expect(answer.filter((reply) => reply.startsWith("550"))).toEqual(["550 5.7.1"]);
  expect(answer.at(-1)).toBe("550 5.7.1");
  expect((await replies(["late"], other)).at(-1)).toBe("250 2.0.0");
});

test.each<[string, Mail]>([
  ["none", {}],
  ["unknown", { header: ["From: odd"] }],
  ["unknown", { header: ["From: a@failing.example"] }],
])("the event has the DMARC verdict that rules are asked with: %s", async (dmarcOfRules, mail) => {
  has("asked", [rule({ dmarc: [dmarcOfRules as "none" | "unknown"] }, {})]);
  expect(await taken(["asked"], mail)).toMatchObject([
    { rule: { effects: ["let-through"] }, authentication: { dmarcOfRules } },
  ]);
});

test("the first rule that matches decides, also where it lets mail go its way", async () => {
  const pass = rule({ from: ["ann@shop.example"] }, {});
  has("excepted", [pass, rule({ senders: ["y.example"] })]);
  expect(await taken(["excepted"])).toMatchObject([{ rule: { ruleId: pass.id, effects: ["let-through"] } }]);
  expect((await replies(["excepted"], { header: ["From: bob@shop.example"] })).at(-1)).toBe("550 5.7.1");
});

test("discarded, called back only, kept only, forwarded elsewhere, tagged: the event has the route that is left", async () => {
  const discard = rule({}, { discard: true });
  has("a", [discard]);
  has("b", [rule({}, { callbackOnly: true })]);
  has("c", [rule({}, { keepOnly: true })], { isBrowsable: false });
  const addressId = newId();
  has("d", [rule({}, { forwardTo: [{ addressId, address: "else@inbox.example" }], tagSubject: "[x]" })]);
  const nowhere = { targets: [], callbackUrl: "", isBrowsable: false };
  expect(await taken(["a", "b", "c", "d"])).toMatchObject([
    { ...nowhere, rule: { ruleId: discard.id, title: "a rule", effects: ["discarded"], subjectTag: "" } },
    { ...nowhere, callbackUrl: route.callbackUrl, rule: { effects: ["called-back-only"] } },
    { ...nowhere, isBrowsable: true, rule: { effects: ["kept-only"] } },
    {
      targets: [{ addressId, address: "else@inbox.example" }],
      callbackUrl: route.callbackUrl,
      rule: { effects: ["forwarded-elsewhere", "subject-tagged"], subjectTag: "[x]" },
    },
  ]);
});

test("nothing is lost by a rule that cannot be followed: without a callback URL, without an address that takes mail", async () => {
  has("a", [rule({}, { callbackOnly: true })], { callbackUrl: "" });
  has("b", [rule({}, { forwardTo: [] })]);
  expect(await taken(["a", "b"])).toMatchObject([
    { targets: [{}], rule: { effects: ["let-through"] } },
    { targets: [{}], rule: { effects: ["let-through"] } },
  ]);
});

test("what would be kept only is put off while the storage is full", async () => {
  has("full", [rule({}, { keepOnly: true })], { isStorageFull: true });
  has("full-late", [rule({ from: ["ann@shop.example"] }, { keepOnly: true })], { isStorageFull: true });
  expect(await replies(["full"])).toContain("452 4.2.2");
  expect((await replies(["full-late"])).at(-1)).toBe("452 4.2.2");
  expect((await taken(["full-late", "proxy"]))[0]).toMatchObject({ targets: [{}], rule: { effects: ["let-through"] } });
});

test("where others take the message, those who refuse get nothing, and those who put it off get it", async () => {
  has("refuses", [rule({ from: ["ann@shop.example"] })], { answers: true });
  has("limits", [rule({ from: ["ann@shop.example"] }, { limitPerHour: 0 })]);
  expect(await taken(["refuses", "proxy", "limits"])).toMatchObject([
    { targets: [], callbackUrl: "", isBrowsable: false, answers: false, rule: { effects: ["refused"] } },
    { targets: [{}] },
    { rule: { effects: ["over-its-limit"] }, targets: [{}] },
  ]);
  expect((await replies(["refuses", "limits"])).at(-1)).toBe("452 4.2.1");
  expect((await replies(["refuses"])).at(-1)).toBe("550 5.7.1");
});

test("a limit lets so many through within an hour, whether the envelope decides or the message; naming recipients counts nothing", async () => {
  const early = rule({ senders: ["y.example"] }, { limitPerHour: 3, tagSubject: "[3]" });
  has("early", [early]);
  has("late", [rule({ from: ["shop.example"] }, { limitPerHour: 2 })]);
  for (let at = 0; at < 5; at += 1)
    for (const line of ["EHLO x", "MAIL FROM:<x@y.example>", "RCPT TO:<early@postern.localhost>", "RSET"])
      expect((await client.command(line)).slice(0, 3)).toBe("250");
  for (let at = 0; at < 3; at += 1) expect((await taken(["early"]))[0]?.rule?.effects).toEqual(["subject-tagged"]);
  expect(await replies(["early"])).toContain("452 4.2.1");
  for (let at = 0; at < 2; at += 1) expect((await replies(["late"])).at(-1)).toBe("250 2.0.0");
  expect((await replies(["late"])).at(-1)).toBe("452 4.2.1");
});

test("what is refused is counted for its rule, once a second", async () => {
  const [early, late] = [rule({ senders: ["y.example"] }), rule({ from: ["shop.example"] })];
  has("early", [early]);
  has("late", [late]);
  await replies(["early"]);
  await replies(["early"]);
  await replies(["late"]);
  await ingress.flushHits();
  expect([early, late].map(({ id }) => ingress.bindings.hits.get(id))).toEqual([2, 1]);
});

test("a new address is made with what its pattern says, whatever a rule does with its first mail", async () => {
  has("fresh", [rule({}, { discard: true })], { newAddress: { domainId: newId(), perHour: 9, remaining: 9 } as never });
  expect(await taken(["fresh"])).toMatchObject([{ targets: [], newBinding: { targets: [{}], isBrowsable: true } }]);
});

test("the operator hears of complaints, whatever the owner's rules refuse", async () => {
  ingress.bindings.ownDomains.add("own.example");
  has("abuse", [rule({})], { proxyAddress: "postmaster@own.example" });
  expect(await taken(["abuse@own.example"])).toMatchObject([{ targets: [{ address: "operator@example.net" }] }]);
});
