import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { AnsweringOwner, strangersHost } from "../support/mail/answering-owner.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

// Rules compare what strangers write with what owners wrote: neither may cost the service, or tell the other what is none of theirs.

let owner: AnsweringOwner;
beforeAll(async () => {
  const spf = [`v=spf1 ip4:${strangersHost} -all`];
  owner = await AnsweringOwner.start({}, { "shop.example TXT": spf, "_dmarc.shop.example TXT": ["v=DMARC1; p=none"] });
});
afterAll(() => owner.dispose());

const create = "mutation ($input: CreateRuleInput!) { createRule(input: $input) { rule { id } } }";
const rule = async (input: object) => String((await owner.graph(create, { input }))["createRule"]?.["rule"]?.["id"]);
const made = () => owner.binding({ answers: false });

async function send(to: string[], header: string[], body = "Hello."): Promise<string[]> {
  const client = await SmtpClient.open(owner.installation.smtpPort, strangersHost);
  const replies = await client.deliver(to, [...header, "", body, ""].join("\r\n"), "ann@shop.example");
  client.destroy();
  return replies;
}

test("64 rules of 50 values over half a megabyte of header: the mail is taken, and what looks like a pattern is a text", async () => {
  const { id: bindingId, proxyAddress } = await made();
  await rule({ bindingId, conditions: { subjectContains: ["(a+)+$"] }, actions: { refuse: true } });
  for (let at = 0; at < 2; at += 1) {
    const values = Array.from({ length: 50 }, (_, value) => `${"a".repeat(40)}${at}-${value}`);
    await rule({ bindingId, conditions: { subjectContains: values, listIds: values }, actions: { refuse: true } });
  }
  for (let at = 0; at < 61; at += 1) await rule({ bindingId, conditions: { subjectContains: [`${"a".repeat(60)}b`] } });
  await expect(rule({ bindingId })).rejects.toThrow("QuotaExceeded");
  const long = Array.from({ length: 400 }, () => ` ${"a".repeat(900)}`).join("\r\n");
  const replies = await send([proxyAddress], ["From: ann@shop.example", `Subject: ${long}`, `List-Id:${long}`]);
  expect(replies.at(-1)).toMatch(/^(?:250|552) /);
  expect((await send([proxyAddress], ["From: ann@shop.example", "Subject: aaaaaaaaaaaa!"])).at(-1)).toMatch(/^250 /);
  expect((await send([proxyAddress], ["From: ann@shop.example", "Subject: x (A+)+$ y"])).at(-1)).toMatch(
    /^550 5\.7\.1 /,
  );
});

test("nobody gets past a rule about authors by an author too many, a second From, or one that is long or quoted", async () => {
  const { id: bindingId, proxyAddress } = await made();
  await rule({ bindingId, conditions: { from: ["pest@x.example"] }, actions: { refuse: true } });
  const many = Array.from({ length: 30 }, (_, at) => `a${at}@d${at}.example`).join(",\r\n ");
  for (const header of [
    ["From: Pest <PEST@X.example>"],
    ['From: "pest"@x.example'],
    [`From: pest@x.example,\r\n ${many}`],
    ["From: other@y.example", "From: pest@x.example"],
    ["From: =?utf-8?q?other=40y.example?= <pest@x.example.>"],
    [`From: ${'"x" '.repeat(300)}<pest@x.example>`],
  ])
    expect([header, (await send([proxyAddress], header)).at(-1)]).toEqual([
      header,
      expect.stringMatching(/^550 5\.7\.1 /),
    ]);
});

test("the same words refuse at RCPT and at DATA, and neither they nor a report name the rule or the real address", async () => {
  const { id: bindingId, proxyAddress } = await made();
  const secret = { bindingId, name: "My secret rule", actions: { refuse: true } };
  const ids = [
    await rule({ ...secret, conditions: { senders: ["shop.example"], tags: ["a"] } }),
    await rule({ ...secret, conditions: { from: ["shop.example"] } }),
  ];
  const early = (await send([proxyAddress.replace("@", "+a@")], ["From: ann@shop.example"]))[0];
  const late = (await send([proxyAddress], ["From: ann@shop.example"])).at(-1);
  expect(early).toMatch(/^550 5\.7\.1 /);
  expect(late).toBe(early);
  for (const word of [owner.realAddress, "secret", "rule", bindingId, ...ids]) expect(late).not.toContain(word);
});

test("what is discarded is reported to nobody, however well its author is proved", async () => {
  const [{ id: bindingId, proxyAddress }, other] = [await made(), await made()];
  await rule({ bindingId, conditions: { from: ["shop.example"] }, actions: { discard: true } });
  const mark = owner.mark();
  const header = ["From: ann@shop.example", "Subject: x", `Message-ID: <${mark}@shop.example>`, `X-Mark: ${mark}`];
  expect((await send([proxyAddress, other.proxyAddress], header)).at(-1)).toMatch(/^250 /);
  await owner.left(({ message }) => message.includes(mark));
  const later = owner.mark();
  await send([other.proxyAddress], ["From: ann@shop.example", `X-Mark: ${later}`]);
  await owner.left(({ message }) => message.includes(later));
  const sent = (await owner.installation.outbound()).filter(({ message }) => message.includes(mark));
  expect(sent.map(({ envelopeTo }) => envelopeTo)).toEqual([owner.realAddress]);
});

test("no rule forwards to a stranger's address, to one that is not verified, or to an address of the service: mail cannot go round", async () => {
  const { id: bindingId, proxyAddress } = await made();
  await owner.binding({ answers: false, realAddresses: ["unproved@example.org"] });
  for (const address of ["victim@far.example", "unproved@example.org", proxyAddress, "x@int.postern.localhost"])
    await expect(rule({ bindingId, actions: { forwardTo: [address] } })).rejects.toThrow("actions.forwardTo[0]");
});

test("a limit is counted by mail that comes, not by recipients that are named, and its counter is the rule's alone", async () => {
  const { id: bindingId, proxyAddress } = await made();
  await rule({ bindingId, conditions: { senders: ["shop.example"] }, actions: { limitPerHour: 1 } });
  const client = await SmtpClient.open(owner.installation.smtpPort, strangersHost);
  for (let at = 0; at < 5; at += 1)
    for (const line of ["EHLO x", "MAIL FROM:<ann@shop.example>", `RCPT TO:<${proxyAddress}>`, "RSET"])
      expect(await client.command(line)).toMatch(/^250/);
  client.destroy();
  expect((await send([proxyAddress], ["From: ann@shop.example"])).at(-1)).toMatch(/^250 /);
  expect((await send([proxyAddress], ["From: ann@shop.example"]))[0]).toMatch(/^452 4\.2\.1 /);
  const other = await made();
  expect((await send([other.proxyAddress], ["From: ann@shop.example"])).at(-1)).toMatch(/^250 /);
});

test("a hit is counted once for its rule", async () => {
  const { id: bindingId, proxyAddress } = await made();
  const id = await rule({ bindingId, conditions: { from: ["shop.example"] }, actions: { discard: true } });
  await send([proxyAddress], ["From: ann@shop.example"]);
  await eventually(async () =>
    expect(await owner.graph("query ($id: ID!) { rule(id: $id) { hits } }", { id })).toEqual({ rule: { hits: 1 } }),
  );
});
