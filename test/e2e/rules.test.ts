import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { authenticate } from "mailauth";
import { eventually } from "../support/eventually.ts";
import { admin } from "../support/installation/admin.ts";
import { AnsweringOwner, ownersHost, strangersHost } from "../support/mail/answering-owner.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

// What the sender's server is told, what leaves, and what the owner sees, of each action of a rule.

let owner: AnsweringOwner;
beforeAll(async () => {
  const records = {
    "_dmarc.example.org TXT": ["v=DMARC1; p=reject"],
    "_dmarc.shop.example TXT": ["v=DMARC1; p=none"],
    "shop.example TXT": [`v=spf1 ip4:${strangersHost} -all`],
  };
  owner = await AnsweringOwner.start({ CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" }, records);
});
afterAll(() => owner.dispose());

interface Made {
  readonly id: string;
  readonly proxyAddress: string;
}

const made = (settings: Record<string, unknown> = {}): Promise<Made> => owner.binding({ answers: false, ...settings });

async function rule(input: Record<string, unknown>): Promise<string> {
  const { createRule } = await owner.graph(
    "mutation ($input: CreateRuleInput!) { createRule(input: $input) { rule { id } } }",
    { input },
  );
  return String(createRule?.["rule"]?.["id"]);
}

interface Sent {
  readonly mark: string;
  readonly replies: string[];
  /** Of emails that were accepted. */
  readonly ids: string[];
}

async function send(to: string[], header: string[], host = strangersHost): Promise<Sent> {
  const mark = owner.mark();
  const content = [...header, `X-Mark: ${mark}`, `Message-ID: <${mark}@shop.example>`, "", "Hello.", ""].join("\r\n");
  return { mark, ...(await submit(to, content, host)) };
}

async function submit(to: string[], content: string | Buffer, host = strangersHost) {
  const client = await SmtpClient.open(owner.installation.smtpPort, host);
  const replies = await client.deliver(to, content, "ann@shop.example");
  client.destroy();
  return { replies: replies.map((reply) => reply.slice(0, 9)), ids: replies.at(-1)?.match(/[\da-f-]{36}/g) ?? [] };
}

const ann = ["From: Ann <ann@shop.example>", "Subject: Offer", `Date: ${new Date().toUTCString()}`];

interface Entry {
  readonly kind: string;
  readonly target: string | null;
  readonly detail: string | null;
  readonly ruleId: string | null;
}

async function timeline(id = ""): Promise<Entry[]> {
  const query = "query ($id: ID!) { email(id: $id) { isProcessed timeline { kind target detail ruleId } } }";
  const { email } = await owner.graph(query, { id });
  return (email?.["timeline"] ?? []) as unknown as Entry[];
}

const hits = async (id: string) =>
  (await owner.graph("query ($id: ID!) { rule(id: $id) { hits lastHitAt } }", { id }))["rule"]?.["hits"];

const leaving = async (mark: string) =>
  (await owner.installation.outbound()).filter(({ message }) => message.includes(mark));

test("refuse: 550 5.7.1, at RCPT where the envelope decides, else at DATA; the hits are counted", async () => {
  const { id: bindingId, proxyAddress } = await made();
  const early = await rule({
    bindingId,
    conditions: { senders: ["shop.example"], tags: ["x"] },
    actions: { refuse: true },
  });
  const late = await rule({ bindingId, conditions: { subjectContains: ["offer"] }, actions: { refuse: true } });
  const tagged = proxyAddress.replace("@", "+x@");
  expect((await send([tagged], ann)).replies[0]).toBe("550 5.7.1");
  expect((await send([proxyAddress], ann)).replies.at(-1)).toBe("550 5.7.1");
  expect((await send([proxyAddress], ["From: ann@shop.example", "Subject: Hi"])).replies.at(-1)).toBe("250 2.0.0");
  await eventually(async () => expect([await hits(early), await hits(late)]).toEqual([1, 1]));
});

test("discard: 250, nothing leaves or is kept, and the timeline names the rule", async () => {
  const { id: bindingId, proxyAddress } = await made();
  const id = await rule({
    bindingId,
    name: "Pests",
    conditions: { from: ["shop.example"] },
    actions: { discard: true },
  });
  const { replies, ids, mark } = await send([proxyAddress], ann);
  expect(replies.at(-1)).toBe("250 2.0.0");
  await eventually(async () =>
    expect(await timeline(ids[0])).toContainEqual({
      kind: "discarded",
      target: "Pests",
      detail: "discarded",
      ruleId: id,
    }),
  );
  await eventually(async () => expect(await hits(id)).toBe(1));
  const listed = await admin<{ id: string }[]>(owner.installation, "rule", "list", owner.realAddress);
  expect(listed.map((each) => each.id)).toContain(id);
  const later = await send([proxyAddress], ["From: x@far.example"]);
  await owner.left(({ message }) => message.includes(later.mark));
  expect(await leaving(mark)).toEqual([]);
});

test("keep only, and callback only, are not forwarded", async () => {
  const { id: bindingId, proxyAddress } = await made({ callbackUrl: "http://127.0.0.1:9/none" });
  await rule({ bindingId, conditions: { tags: ["keep"] }, actions: { keepOnly: true } });
  await rule({ bindingId, conditions: { tags: ["call"] }, actions: { callbackOnly: true } });
  const to = (tag: string) => proxyAddress.replace("@", `+${tag}@`);
  const { ids, mark } = await send([to("keep"), to("call"), to("other")], ann);
  await eventually(async () => {
    const [kept, called] = [await timeline(ids[0]), await timeline(ids[1])];
    expect(kept.map(({ kind, detail }) => `${kind} ${detail}`)).toContain("rule_applied kept only");
    expect(kept.map(({ kind }) => kind)).toContain("stored");
    expect(called.map(({ kind, detail }) => `${kind} ${detail}`)).toContain("rule_applied called back only");
    expect(called.map(({ kind }) => kind)).toContain("callback_deferred");
    expect([...kept, ...called].map(({ kind }) => kind)).not.toContain("forwarded");
    expect(await leaving(mark)).toHaveLength(1);
  });
});

test("limit: 452 4.2.1 for what comes beyond it", async () => {
  const { id: bindingId, proxyAddress } = await made();
  await rule({ bindingId, conditions: {}, actions: { limitPerHour: 2 } });
  for (const _ of [1, 2]) expect((await send([proxyAddress], ann)).replies.at(-1)).toBe("250 2.0.0");
  expect((await send([proxyAddress], ann)).replies).toContain("452 4.2.1");
});

test("a tagged mail of a p=reject author passes DMARC at the next server; without the rule it leaves octet for octet", async () => {
  const { id: bindingId, proxyAddress } = await made();
  const id = await rule({
    bindingId,
    conditions: { subjectContains: ["offer"] },
    actions: { tagSubject: "[Wünsche]" },
  });
  const signed = async (subject: string) => {
    const header = ["From: Zoe <zoe@example.org>", `To: ${proxyAddress}`, `Subject: ${subject}`];
    return owner.signed({ header, body: `Hello ${owner.mark()}.\r\n` });
  };
  const offer = await signed("Your offer");
  const { ids } = await submit([proxyAddress], offer, ownersHost);
  const body = offer.subarray(offer.indexOf("\r\n\r\n"));
  const { message } = await owner.left((mail) => mail.message.includes(body));
  const text = message.toString("latin1");
  expect(text).toMatch(new RegExp(`^From: "Zoe \\(zoe at example\\.org\\)"\\s+<${proxyAddress}>`, "m"));
  expect(text).toMatch(/^Reply-To: Zoe <zoe@example\.org>/m);
  expect(text).toMatch(/^Subject: =\?UTF-8\?B\?.*\?= Your offer/m);
  // The author's signature does not hold any more; ours, of the domain that From has now, does.
  const records = await dkimRecords();
  const { dkim } = await authenticate(message, {
    ip: "192.0.2.1",
    helo: "postern.localhost",
    sender: "",
    disableArc: true,
    disableBimi: true,
    resolver: async (name: string, type: string) => {
      const value = type === "TXT" ? records[name] : undefined;
      if (value === undefined) throw Object.assign(new Error("none"), { code: "ENOTFOUND" });
      return [[value]];
    },
  });
  const valid = dkim.results.filter(({ status }) => status.result === "pass");
  expect(valid.length).toBeGreaterThan(0);
  expect(valid.map(({ signingDomain }) => signingDomain)).not.toContain("example.org");
  expect(valid.every(({ signingDomain }) => signingDomain === "postern.localhost")).toBe(true);
  expect(text).toMatch(/^DKIM-Signature:[^:]*d=postern\.localhost;/m);
  await eventually(async () =>
    expect(await timeline(ids[0])).toContainEqual(
      expect.objectContaining({ kind: "rule_applied", detail: "subject tagged", ruleId: id }),
    ),
  );
  const plain = await signed("Hello");
  await submit([proxyAddress], plain, ownersHost);
  const untouched = await owner.left((mail) => mail.message.includes(plain.subarray(plain.indexOf("\r\n\r\n"))));
  expect(untouched.message.subarray(untouched.message.length - plain.length).equals(plain)).toBe(true);
});

test("forward to other addresses of the owner's, instead of those of the binding", async () => {
  const other = "second@example.org";
  const { id: bindingId, proxyAddress } = await made({ realAddresses: [owner.realAddress, other] });
  const forwarding = { bindingId, conditions: { tags: ["else"] }, actions: { forwardTo: [other] } };
  await expect(rule(forwarding)).rejects.toThrow("actions.forwardTo[0]");
  const link = await owner.left(({ envelopeTo, message }) => envelopeTo === other && message.includes("/verify/"));
  const [, path = ""] = /(\/verify\/[\w-]+)/.exec(link.message.toString().replaceAll(/=\r\n/g, "")) ?? [];
  await fetch(`${owner.installation.url}${path}`, { method: "POST" });
  await rule(forwarding);
  const { mark } = await send([proxyAddress.replace("@", "+else@")], ann);
  await owner.left(({ message }) => message.includes(mark));
  const { mark: after } = await send([proxyAddress], ann);
  await eventually(async () => expect(await leaving(after)).toHaveLength(2));
  expect((await leaving(mark)).map(({ envelopeTo }) => envelopeTo)).toEqual([other]);
});

test("where others take a message, one who refuses it gets nothing, and its proved author is told, without a word of the rule", async () => {
  const [refusing, taking] = [await made(), await made()];
  const id = await rule({
    bindingId: refusing.id,
    name: "Secret name",
    conditions: { from: ["ann@shop.example"] },
    actions: { refuse: true },
  });
  const { replies, ids, mark } = await send([refusing.proxyAddress, taking.proxyAddress], ann);
  expect(replies.at(-1)).toBe("250 2.0.0");
  const report = await owner.left(
    ({ envelopeTo, message }) => envelopeTo === "ann@shop.example" && message.includes(`<${mark}@shop.example>`),
  );
  const text = report.message.toString();
  expect(text).toContain("Status: 5.7.1");
  expect(text).toContain(refusing.proxyAddress);
  for (const secret of [owner.realAddress, "Secret name", id, "rule"]) expect(text).not.toContain(secret);
  await eventually(async () => {
    const entries = await timeline(ids[0]);
    expect(entries).toContainEqual({ kind: "discarded", target: "Secret name", detail: "refused", ruleId: id });
    expect(entries.map(({ kind }) => kind)).toContain("cancelled");
    expect((await leaving(mark)).map(({ envelopeTo }) => envelopeTo).sort()).toEqual(
      ["ann@shop.example", owner.realAddress].sort(),
    );
  });
  // Who is not proved is not told.
  const unproved = await send([refusing.proxyAddress, taking.proxyAddress], ann, "127.0.0.6");
  await eventually(async () =>
    expect((await timeline(unproved.ids[0])).map(({ kind }) => kind)).toContain("cancelled"),
  );
  expect((await leaving(unproved.mark)).map(({ envelopeTo }) => envelopeTo)).not.toContain("ann@shop.example");
});

/** As the operator's command lists them, and the author's. */
async function dkimRecords(): Promise<Record<string, string>> {
  const records = await admin<{ name: string; type: string; value: string }[]>(owner.installation, "dns");
  const [authors = ""] = owner.dns.zone["sel._domainkey.example.org TXT"] ?? [];
  const ours = records.filter(({ type }) => type === "TXT").map(({ name, value }) => [name, value]);
  return { ...Object.fromEntries(ours), "sel._domainkey.example.org": authors };
}
