import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AddressSearch } from "../../services/forwarder/answers/search/address-search.ts";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http/rest-client.ts";
import { admin } from "../support/installation/admin.ts";
import { AnsweringOwner, strangersHost } from "../support/mail/answering-owner.ts";
import { verifyByDkimpy } from "../support/mail/dkimpy.ts";

let owner: AnsweringOwner;
beforeAll(async () => {
  owner = await AnsweringOwner.start();
});
afterAll(() => owner.dispose());

const field = (message: string, name: string) =>
  new RegExp(`^${name}:[ \t]*(.*)$`, "im").exec(message.replaceAll(/\r\n[ \t]/g, " "))?.[1]?.trim();

test("a signed answer to all, with Bcc: three mails leave, from the proxy address, signed, without the real address, and threads hold both ways", async () => {
  const { id, proxyAddress } = await owner.binding();
  const header = ["From: Ann Lee <ann@shop.example>", `To: ${proxyAddress}, Bob <bob@shop.example>`, "Subject: Offer"];
  const forwarded = await owner.forwarded(proxyAddress, [...header, "Message-ID: <offer@shop.example>"]);
  const [ann, bob] = [owner.reverseIn(forwarded), owner.reverseIn(forwarded, "To")];
  expect(field(forwarded, "From")).toBe(`"Ann Lee (ann at shop.example)" <${ann}>`);
  const carol = await owner.graph(
    'mutation ($id: ID!) { createContact(bindingId: $id, address: "carol@far.example") { contact { reverseAddress } } }',
    { id },
  );
  const hidden = String(carol["createContact"]?.["contact"]?.["reverseAddress"]);
  await owner.forwarded(proxyAddress, ["From: carol@far.example", "Message-ID: <hi@far.example>"]);
  const mark = owner.mark();
  const message = await owner.signed({
    header: [
      `To: "Ann Lee" <${ann}>`,
      `Cc: ${bob}, ${proxyAddress}`,
      `Subject: Re: Offer ${mark}`,
      "In-Reply-To: <offer@shop.example>",
      "References: <offer@shop.example>",
      `Message-ID: <${mark}@mail.example.org>`,
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "User-Agent: Thunderbird",
      "X-Originating-IP: 192.0.2.7",
      `Autocrypt: addr=${owner.realAddress}; keydata=abc`,
    ],
    body: `Fine.\r\n\r\nOn Monday, Ann Lee (ann at shop.example)\r\n<${ann}> wrote:\r\n> Hello ${owner.realAddress}, yours ${ann}\r\n`,
  });
  for (const address of [ann, bob, hidden]) expect(await owner.submit(address, message)).toMatch(/^250 /);
  const left = await eventually(async () => {
    const mails = (await owner.installation.outbound()).filter((mail) => mail.message.includes(mark));
    if (mails.length < 3) throw new Error("not all left");
    return mails;
  });
  expect(left.map(({ envelopeTo }) => envelopeTo).sort()).toEqual([
    "ann@shop.example",
    "bob@shop.example",
    "carol@far.example",
  ]);
  const search = new AddressSearch([owner.realAddress]);
  const sealed = new Set(left.map((mail) => field(mail.message.toString(), "Message-ID")));
  expect(sealed.size).toBe(1);
  for (const mail of left) {
    const text = mail.message.toString();
    expect(await search.isIn(mail.message)).toBe(false);
    // The base64 of a signature may spell anything.
    const unsigned = text.replaceAll(/^DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*/gm, "");
    expect(unsigned).not.toMatch(/DKIM-|User-Agent|X-Originating|Autocrypt|Received|re\+|ARC-/);
    expect(field(text, "From")).toBe(`"Olive Owner" <${proxyAddress}>`);
    expect(field(text, "To")).toBe("<ann@shop.example>");
    expect(field(text, "Cc")).toBe(`<bob@shop.example>, <${proxyAddress}>`);
    expect(field(text, "Date")).toMatch(/ \+0000$/);
    expect(field(text, "In-Reply-To")).toBe("<offer@shop.example>");
    expect(text).toContain("Fine.");
    expect(text).toContain(`> Hello ${proxyAddress}, yours ann@shop.example`);
    expect(mail.envelopeFrom).toMatch(/^bounce\+[a-z2-7]+@postern\.localhost$/);
  }
  const [messageId = ""] = sealed;
  const back = await owner.forwarded(proxyAddress, ["From: Ann Lee <ann@shop.example>", `In-Reply-To: ${messageId}`]);
  expect(field(back, "In-Reply-To")).toBe(`<${mark}@mail.example.org>`);
  const records = await dkimRecords();
  const verdict = await verifyByDkimpy(left[0]?.message ?? Buffer.alloc(0), records);
  expect(verdict.dkim.map(({ isValid }) => isValid)).toEqual([true, true]);
});

/** As the operator's command lists them. */
async function dkimRecords(): Promise<Record<string, string>> {
  const records = await admin<{ name: string; type: string; value: string }[]>(owner.installation, "dns");
  return Object.fromEntries(records.filter(({ type }) => type === "TXT").map(({ name, value }) => [name, value]));
}

test("an answer is in the inbox with its direction and its timeline, and counts at its contact", async () => {
  const { id, proxyAddress } = await owner.binding();
  const forwarded = await owner.forwarded(proxyAddress, ["From: ann@shop.example", "Message-ID: <one@shop.example>"]);
  const reply = await owner.answer(owner.reverseIn(forwarded), { header: [`To: ${owner.reverseIn(forwarded)}`] });
  const [emailId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(reply) ?? [];
  const shown = await eventually(async () => {
    const { receivedEmail } = await owner.graph(
      "query ($id: ID!) { receivedEmail(id: $id) { direction sender isProcessed timeline { kind target } deliveries { realAddress state } } }",
      { id: emailId },
    );
    if (!receivedEmail?.["isProcessed"]) throw new Error("not processed");
    return receivedEmail;
  });
  expect(shown).toMatchObject({
    direction: "ANSWER",
    sender: owner.realAddress,
    deliveries: [{ realAddress: "ann@shop.example", state: "delivered" }],
  });
  const timeline = ((shown["timeline"] ?? []) as { kind: string }[]).filter(({ kind }) => kind !== "stored");
  expect(timeline).toMatchObject([{ kind: "accepted" }, { kind: "sent", target: "ann@shop.example" }]);
  const { proxyBinding } = await owner.graph(
    "query ($id: ID!) { proxyBinding(id: $id) { contacts { nodes { address received sent } } } }",
    { id },
  );
  expect(proxyBinding?.["contacts"]?.["nodes"]).toEqual([{ address: "ann@shop.example", received: 1, sent: 1 }]);
  const list = await owner.rest.get(`/api/v1/received-emails/links/${id}`);
  expect(JSON.stringify(list.body ?? "")).not.toContain(emailId);
});

/** @param isBlocked false: no longer */
async function blockOnlyContact(bindingId: string, isBlocked: boolean): Promise<void> {
  const list = "query ($bindingId: ID!) { proxyBinding(id: $bindingId) { contacts { nodes { id } } } }";
  const { proxyBinding } = await owner.graph(list, { bindingId });
  const nodes = (proxyBinding?.["contacts"]?.["nodes"] ?? []) as { id: string }[];
  const update =
    "mutation ($id: ID!, $isBlocked: Boolean) { updateContact(id: $id, isBlocked: $isBlocked) { contact { id } } }";
  await owner.graph(update, { id: nodes[0]?.id, isBlocked });
}

test("an answer with the real address in it is held: the link's page alone does nothing, and its button sends it as it is, unless its contact is blocked since", async () => {
  const { id, proxyAddress } = await owner.binding();
  const forwarded = await owner.forwarded(proxyAddress, ["From: ann@shop.example", "Message-ID: <two@shop.example>"]);
  const to = owner.reverseIn(forwarded);
  const tnef = Buffer.from(`\0\0${owner.realAddress}`, "utf16le").toString("base64");
  const mark = owner.mark();
  const body = [
    "--b",
    "Content-Type: text/plain",
    "",
    `See ${mark}`,
    "--b",
    'Content-Type: application/ms-tnef; name="winmail.dat"',
    "Content-Transfer-Encoding: base64",
    "",
    tnef,
    "--b--",
    "",
  ].join("\r\n");
  const reply = await owner.answer(to, {
    header: [`To: ${to}`, "MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"'],
    body,
  });
  expect(reply).toMatch(/^250 /);
  const notice = await owner.left(
    ({ message, envelopeTo }) => envelopeTo === owner.realAddress && message.includes("winmail.dat"),
  );
  const [, path = ""] = /(\/answers\/[\w-]{43})/.exec(notice.message.toString()) ?? [];
  const url = `${owner.installation.url}${path}`;
  const isSent = async () => (await owner.installation.outbound()).some(({ message }) => message.includes(mark));
  const page = await call(url, "GET");
  expect([page.status, page.text.match(/<button/g)?.length, await isSent()]).toEqual([200, 1, false]);
  await blockOnlyContact(id, true);
  for (const method of ["GET", "POST"]) {
    const refused = await call(url, method);
    expect([refused.status, refused.text, await isSent()]).toEqual([403, expect.stringContaining("is blocked"), false]);
  }
  await blockOnlyContact(id, false);
  expect((await call(url, "POST")).status).toBe(200);
  await eventually(async () => expect(await isSent()).toBe(true));
  expect((await call(url, "POST")).status).toBe(404);
});

test("a bounce of an answer goes to who wrote it, naming the reverse address and not the contact's server's words", async () => {
  const { proxyAddress } = await owner.binding();
  const forwarded = await owner.forwarded(proxyAddress, [
    "From: gone@shop.example",
    "Message-ID: <three@shop.example>",
  ]);
  const to = owner.reverseIn(forwarded);
  const mark = owner.mark();
  await owner.answer(to, { header: [`To: ${to}`, `Subject: ${mark}`] });
  const { envelopeFrom } = await owner.left(({ message }) => message.includes(mark));
  const dsn = [
    "From: mailer-daemon@shop.example",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
    "",
    "--r",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; shop.example",
    "",
    "Final-Recipient: rfc822; gone@shop.example",
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 secret words of the server",
    "",
    "--r--",
    "",
  ].join("\r\n");
  await owner.submit(envelopeFrom, Buffer.from(dsn), strangersHost);
  const report = await owner.left(
    ({ envelopeTo, message }) => envelopeTo === owner.realAddress && message.includes("delivery-status"),
  );
  expect(report.message.toString()).toContain(to);
  expect(report.message.toString()).not.toMatch(/gone@shop\.example|secret words/);
});

test("mail that an owner composes through the API leaves in the same way, and is in the inbox", async () => {
  const { proxyAddress } = await owner.binding();
  await owner.forwarded(proxyAddress, ["From: ann@shop.example", "Message-ID: <four@shop.example>"]);
  const mark = owner.mark();
  const sent = await owner.rest.send(
    "POST",
    "/api/postern/v1/messages",
    {
      from: proxyAddress,
      bcc: ["ann@shop.example"],
      subject: `Hello ${mark}`,
      text: "Hello, Ann.",
      html: "<p>Hello.</p>",
    },
    { "idempotency-key": mark },
  );
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)]);
  const { message, envelopeTo } = await owner.left((mail) => mail.message.includes(mark));
  const text = message.toString();
  expect(envelopeTo).toBe("ann@shop.example");
  expect(field(text, "From")).toBe(`"Olive Owner" <${proxyAddress}>`);
  expect(field(text, "To")).toBe("undisclosed-recipients:;");
  expect(text).toMatch(/^DKIM-Signature:/);
  const direction = await eventually(async () => {
    const id = String(sent.body?.["data"]?.["id"]);
    const { receivedEmail } = await owner.graph(
      "query ($id: ID!) { receivedEmail(id: $id) { direction isProcessed } }",
      { id },
    );
    if (!receivedEmail?.["isProcessed"]) throw new Error("not processed");
    return receivedEmail["direction"];
  });
  expect(direction).toBe("SEND");
});
