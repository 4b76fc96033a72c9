import { randomBytes } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { madeBinding, newAccount, type TestAccount } from "./support/accounts.ts";
import { graphInstallation } from "./support/installation.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

async function download(headers: Readonly<Record<string, string>>): Promise<Response> {
  const { url } = await graphInstallation();
  return fetch(`${url}/export`, { headers });
}

const bearer = (owner: TestAccount) => ({ authorization: `Bearer ${owner.bearer}` });

test("an account's data are one download, and hold nothing of anybody else's", async () => {
  const { smtpPort } = await graphInstallation();
  const [owner, other] = await Promise.all([newAccount(), newAccount()]);
  const binding = await madeBinding(owner, { isBrowsable: true, description: "For the newspaper" });
  const theirs = await madeBinding(other, { isBrowsable: true });
  await sendMail(smtpPort, { to: binding.proxyAddress, subject: "Kept for me", text: "All of it" });
  await sendMail(smtpPort, { to: theirs.proxyAddress, subject: "Not for me", text: "None of it" });
  const recorder = (await owner.get(`mutation { createRecorder { recorder { id callUrl } } }`))["createRecorder"];
  await fetch(String(recorder?.["recorder"]?.["callUrl"]), { method: "PUT", body: "a call" });
  const name = `exported-${process.pid}-${Date.now()}.example`;
  await owner.get(`mutation ($name: String!) { addDomain(name: $name) { id } }`, { name });
  await owner.get(
    `mutation { createRule(input: { name: "Mine", actions: { discard: true }, conditions: { tags: ["x"] } }) { rule { id } } }`,
  );

  await eventually(async () => {
    const answer = await download(bearer(owner));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\d-]+-account\.json"$/);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const text = await answer.text();
    const found = JSON.parse(text);
    expect(found).toMatchObject({
      account: { id: owner.id, username: owner.username },
      sessions: [{ clientAddress: expect.any(String) }],
      passkeys: [],
      domains: [{ name, state: "unverified", patterns: [] }],
      rules: [{ name: "Mine", conditions: { tags: ["x"] }, actions: { discard: true } }],
      emails: [{ subject: "Kept for me" }],
      recorders: [{ hash: recorder?.["recorder"]?.["id"], calls: [{ method: "PUT" }] }],
    });
    expect(found.proxyBindings).toContainEqual(
      expect.objectContaining({ id: binding.id, description: "For the newspaper" }),
    );
    expect(text).toContain("All of it");
    for (const foreign of [other.id, other.username, theirs.id, theirs.proxyAddress, "Not for me"])
      expect(text).not.toContain(foreign);
    // Nor what opens the account.
    expect(text).not.toMatch(/argon2|whsec_|pst_/);
  });
});

test("an email is there whole: all its header fields, both bodies as they came, and what was attached", async () => {
  const { smtpPort } = await graphInstallation();
  const owner = await newAccount();
  const binding = await madeBinding(owner, { isBrowsable: true });
  // Of no multiple of three octets, and more than comes in one piece.
  const content = randomBytes(300_001);
  await sendMail(smtpPort, {
    to: binding.proxyAddress,
    subject: "Whole",
    text: "plain\n",
    html: "<p>rich</p>",
    headers: [
      { key: "X-Twice", value: "one" },
      { key: "X-Twice", value: "two" },
    ],
    attachments: [
      { filename: "empty.bin", content: "" },
      { filename: "random.bin", content },
    ],
  });
  await eventually(async () => {
    const [email] = JSON.parse(await (await download(bearer(owner))).text()).emails;
    expect(email).toMatchObject({ subject: "Whole", bindingId: binding.id, isTruncated: false, callback: null });
    expect(email.timeline).toEqual(expect.arrayContaining([expect.objectContaining({ kind: "accepted" })]));
    expect(email.payload["body-plain"].trim()).toBe("plain");
    expect(email.payload["body-html"].trim()).toBe("<p>rich</p>");
    const fields: [string, string][] = JSON.parse(email.payload["message-headers"]);
    expect(fields.filter(([name]) => name === "X-Twice").map(([, value]) => value)).toEqual(["one", "two"]);
    expect(email.attachments).toEqual([
      { filename: "empty.bin", mime: expect.any(String), sizeBytes: 0, contentId: null, content: "" },
      {
        filename: "random.bin",
        mime: expect.any(String),
        sizeBytes: content.length,
        contentId: null,
        content: content.toString("base64"),
      },
    ]);
  });
});

test("an email that was forwarded alone is there without its content", async () => {
  const { smtpPort } = await graphInstallation();
  const owner = await newAccount();
  const [forwarded, kept] = [await madeBinding(owner), await madeBinding(owner, { isBrowsable: true })];
  for (const { proxyAddress } of [forwarded, kept]) await sendMail(smtpPort, { to: proxyAddress, subject: "Passing" });
  await eventually(async () => {
    const { emails } = JSON.parse(await (await download(bearer(owner))).text());
    const timeline = expect.arrayContaining([expect.objectContaining({ kind: "accepted" })]);
    const of = ({ id, proxyAddress }: typeof kept) => ({ bindingId: id, recipient: proxyAddress, timeline });
    expect(emails).toMatchObject([
      { ...of(kept), direction: "FORWARD", sender: expect.stringContaining("@"), subject: "Passing" },
      { ...of(forwarded), direction: "FORWARD", sender: expect.stringContaining("@"), subject: null },
    ]);
    expect(emails[0].payload).toMatchObject({ subject: "Passing" });
    expect(emails[1]).toMatchObject({ payload: null, attachments: [], attachmentCount: 0, isTruncated: false });
  });
});

test("keys, settings of programs, the account's webhook, events and imports are there, and no secret", async () => {
  const { url } = await graphInstallation();
  const owner = await newAccount();
  const input = { name: "reader", scopes: ["mail:read"] };
  const make = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }";
  await owner.get(make, { input });
  const admin = (await owner.get(make, { input: { name: "whole", scopes: ["admin"] } }))["createApiKey"];
  const settings = [{ key: "theme", value: "dark" }];
  await fetch(`${url}/gapi/settings/update`, {
    method: "PATCH",
    headers: { ...bearer(owner), "content-type": "application/json" },
    body: JSON.stringify({ settings }),
  });
  const webhook = { url: "http://127.0.0.1:9/hook", kinds: ["address.made"] };
  await owner.get(
    "mutation ($input: AccountWebhookInput!) { setAccountWebhook(input: $input) { accountWebhook { url } } }",
    { input: webhook },
  );
  const { id, proxyAddress } = await madeBinding(owner);
  const content = "alias,note\nnews@example.com,For the newspaper\n";
  await owner.get("mutation ($input: ImportInput!) { importDryRun(input: $input) { id } }", {
    input: { source: "simplelogin", content },
  });

  await eventually(async () => {
    const text = await (await download(bearer(owner))).text();
    const found = JSON.parse(text);
    expect(found).toMatchObject({ apiKeys: [input, { name: "whole" }], settings, accountWebhook: webhook });
    expect(found.events).toContainEqual(
      expect.objectContaining({ kind: "address.made", bindingId: id, address: proxyAddress }),
    );
    expect(found.webhookCalls).toContainEqual(expect.objectContaining({ kind: "address.made", url: webhook.url }));
    expect(found.imports).toMatchObject([
      {
        source: "simplelogin",
        state: "checked",
        total: 1,
        done: 0,
        rows: [{ kind: "address", old: "news@example.com" }],
      },
    ]);
    expect(text).not.toMatch(/psk_|whsec_/);
  });
  const byKey = await (await download({ token: String(admin?.["key"]) })).json();
  expect(byKey).toMatchObject({ settings, accountWebhook: webhook });
  expect(byKey).not.toHaveProperty("apiKeys");
});

test("it breaks off where the session ends while it is read, and not half of it looks whole", async () => {
  const { smtpPort, url } = await graphInstallation();
  const owner = await newAccount();
  const binding = await madeBinding(owner, { isBrowsable: true });
  // More than stands in the buffers of a connection.
  const attachments = [{ filename: "random.bin", content: randomBytes(12_000_000) }];
  for (const subject of ["1", "2"]) await sendMail(smtpPort, { to: binding.proxyAddress, subject, attachments });
  await eventually(async () => {
    const { emails } = JSON.parse(await (await download(bearer(owner))).text());
    expect(emails).toMatchObject([{ attachments: [{}] }, { attachments: [{}] }]);
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/export`, { headers: bearer(owner) }, resolve).on("error", reject);
  });
  // Nothing is read of it yet.
  expect(answer.statusCode).toBe(200);
  const session = (await owner.get("{ me { sessions { id } } }"))["me"]?.["sessions"]?.[0];
  await owner.get("mutation ($id: ID!) { revokeSession(id: $id) { __typename } }", { id: session?.["id"] });
  await expect(answer.toArray()).rejects.toMatchObject({ code: "ECONNRESET" });
  expect((await download(bearer(owner))).status).toBe(401);
});

test("it is for who has signed in", async () => {
  for (const [headers, status] of [
    [{}, 401],
    [{ authorization: "Bearer nonsense" }, 401],
    [{ token: "unknown" }, 403],
  ] as const)
    expect((await download(headers)).status).toBe(status);
});
