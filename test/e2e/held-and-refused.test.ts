import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { callbackTarget } from "../support/http/callback-target.ts";
import { changeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import { type RestClient, restClient } from "../support/http/rest-client.ts";
import { admin } from "../support/installation/admin.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { SinkRefusal, SmtpSink } from "../support/mail/smtp-sink.ts";
import { asSuperuser } from "../support/peers/database.ts";

// What becomes of mail that would reach nobody: the account is disabled, no real address takes it, or it was deleted.

let sink: SmtpSink;
let installation: Installation;
let rest: RestClient;
const own = () => installation.account.username;

/** The next hop's replies to some recipients; all others are taken. */
const refusals = new Map<string, [code: number, text: string]>();

beforeAll(async () => {
  sink = await SmtpSink.start({
    atRecipient: (recipient) => {
      const [code, text] = refusals.get(recipient) ?? [];
      if (code !== undefined && text !== undefined) throw new SinkRefusal(code, text);
    },
  });
  installation = await startInstallation({
    environment: {
      OUTBOUND: sink.url,
      CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
      FORWARD_RETRY_S: "3600,86400",
      CALLBACK_RETRY_S: "3600,86400",
    },
  });
  rest = await installation.rest();
});
afterAll(async () => {
  await installation?.dispose();
  await sink?.stop();
});

/** The answer of the server to a mail, whether it was taken or refused. */
const send = (to: string, subject = "x", from = "ann@example.com") =>
  sendMail(installation.smtpPort, { from, to, subject, text: "x" }).catch((error: Error) => error.message);
const received = (subject: string) => sink.messages.filter(({ bytes }) => bytes.includes(`Subject: ${subject}`));

async function verify(address: string): Promise<void> {
  const link = await eventually(async () => {
    const notice = sink.messages.find(({ recipient, bytes }) => recipient === address && bytes.includes("/verify/"));
    const url = notice?.bytes.toString().match(/https?:\/\/\S+\/verify\/\S+/)?.[0];
    if (!url) throw new Error(`no link was sent to ${address}`);
    return url;
  });
  expect((await fetch(link, { method: "POST" })).status).toBe(200);
}

/** The timeline is shown of bindings that are browsed. */
async function timeline(id: string, emailId: string): Promise<unknown> {
  await changeBinding(rest, id, { is_browsable: true });
  const query = "query ($id: ID!) { receivedEmail(id: $id) { timeline { kind target } } }";
  const answer = await rest.send("POST", "/graphql", { query, variables: { id: emailId } });
  return (answer.body?.["data"] as { receivedEmail?: { timeline?: unknown } } | undefined)?.receivedEmail?.timeline;
}

async function shown(id: string) {
  const query =
    "query ($id: ID!) { proxyBinding(id: $id) { receivedEmails refusedEmails lastRefusal { reason } realAddresses { suspendedAt } } }";
  const answer = await rest.send("POST", "/graphql", { query, variables: { id } });
  return (answer.body?.["data"] as { proxyBinding?: object } | undefined)?.proxyBinding;
}

/** Waits until a table has rows that meet a condition. */
const awaitRows = (table: string, condition: string) =>
  eventually(async () => {
    const url = await installation.databaseUrl();
    expect(await asSuperuser(url, `select 1 as row from ${table} where ${condition}`)).not.toEqual([]);
  });

test("mail to a disabled account is refused; what was accepted before is held, and goes on once it is enabled", async () => {
  const account = { username: "disabled@example.org", password: "correct horse battery staple" };
  await admin(installation, "account", "add", account.username, `--password=${account.password}`);
  const theirs = await restClient(installation.url, account);
  const hook = await callbackTarget();
  hook.answerWith(503);
  refusals.set(account.username, [451, "4.3.0 try again"]);
  const { proxyAddress } = await makeBinding(theirs, {
    real_addresses: [account.username],
    callback_url: hook.url,
  });
  await send(proxyAddress, "accepted-before");
  const ofMail = "state = 'waiting' and email_id is not null";
  for (const table of ["forwarder.delivery", "webhook.callback"])
    await awaitRows(table, `${ofMail} and due_at > now() + interval '30 minutes'`);
  await admin(installation, "account", "disable", account.username);
  await eventually(async () => expect(await send(proxyAddress, "on-the-way")).toContain("550 5.2.1"));
  expect(await send(proxyAddress, "while-disabled")).toContain("550 5.2.1");
  for (const service of ["forwarder", "webhook"]) await awaitRows(`${service}.account_switch`, "true");
  refusals.delete(account.username);
  const url = await installation.databaseUrl();
  for (const table of ["forwarder.delivery", "webhook.callback"])
    await asSuperuser(url, `update ${table} set due_at = now() where ${ofMail}`);
  const other = await makeBinding(rest, { real_addresses: [own()], callback_url: hook.url });
  await send(other.proxyAddress, "of-others");
  await eventually(() => {
    expect(received("of-others")).toHaveLength(1);
    expect(hook.received.map(({ body }) => (body["recipient"] as { address?: string })?.address)).toContain(
      other.proxyAddress,
    );
  });
  const calls = hook.received.length;
  expect(received("accepted-before")).toEqual([]);
  await admin(installation, "account", "enable", account.username);
  await eventually(() => {
    expect(received("accepted-before")).toMatchObject([{ recipient: account.username }]);
    expect(hook.received.length).toBeGreaterThan(calls);
  });
  await eventually(async () => expect(await send(proxyAddress, "once-enabled")).toContain("Accepted"));
  await eventually(() => expect(received("once-enabled")).toHaveLength(1));
  expect(received("while-disabled")).toEqual([]);
  await hook.close();
});

test("an email that was deleted is not called back any more", async () => {
  const hook = await callbackTarget();
  hook.answerWith(503);
  const { proxyAddress } = await makeBinding(rest, { callback_url: hook.url, is_browsable: true });
  const [emailId = ""] = emailIds(await send(proxyAddress, "deleted"));
  const ofEmail = `email_id = '${emailId}'`;
  await awaitRows("webhook.callback", `${ofEmail} and state = 'waiting' and due_at > now() + interval '30 minutes'`);
  expect(hook.received).toHaveLength(1);
  expect((await rest.send("DELETE", `/api/v1/received-emails/${emailId}`)).status).toBe(204);
  await asSuperuser(
    await installation.databaseUrl(),
    `update webhook.callback set due_at = now() where ${ofEmail} and state = 'waiting'`,
  );
  await awaitRows("webhook.callback", `${ofEmail} and state = 'cancelled'`);
  expect(hook.received).toHaveLength(1);
  await hook.close();
});

test("mail for an address that is yet to be verified is held, and forwarded once it is", async () => {
  const address = "late@example.net";
  const { proxyAddress, id } = await makeBinding(rest, { real_addresses: [address] });
  const [emailId = ""] = emailIds(await send(proxyAddress, "before-the-link"));
  await eventually(async () =>
    expect(await timeline(id, emailId)).toEqual([
      { kind: "accepted", target: null },
      { kind: "held", target: address },
    ]),
  );
  expect(received("before-the-link")).toEqual([]);
  await verify(address);
  await eventually(() => expect(received("before-the-link")).toMatchObject([{ recipient: address }]));
  await eventually(async () => expect(await timeline(id, emailId)).toHaveLength(3));
  expect(await shown(id)).toMatchObject({ receivedEmails: 1, refusedEmails: 0, lastRefusal: null });
});

test("the timeline names each address that mail is not forwarded to beside others, and why", async () => {
  const address = "beside@example.net";
  const { proxyAddress, id } = await makeBinding(rest, { real_addresses: [own(), address] });
  const outcome = async (subject: string) => {
    const [emailId = ""] = emailIds(await send(proxyAddress, subject));
    return eventually(async () => {
      const entries = (await timeline(id, emailId)) as { kind: string; target: string | null }[];
      expect(entries).toContainEqual({ kind: "forwarded", target: own() });
      return entries.filter(({ target }) => target === address);
    });
  };
  expect(await outcome("beside-unverified")).toEqual([{ kind: "skipped_unverified", target: address }]);
  await changeBinding(rest, id, { real_addresses: { [own()]: true, [address]: false } });
  expect(await outcome("beside-off")).toEqual([{ kind: "skipped_switched_off", target: address }]);
  await changeBinding(rest, id, { real_addresses: { [own()]: true, [address]: true } });
  await verify(address);
  expect(await outcome("beside-live")).not.toContainEqual(expect.objectContaining({ kind: "skipped_unverified" }));
});

test("where the owner switched every address off, mail is refused, and the owner sees it", async () => {
  const { proxyAddress, id } = await makeBinding(rest, { real_addresses: [own()] });
  await changeBinding(rest, id, { real_addresses: { [own()]: false } });
  expect(await send(proxyAddress)).toContain("550 5.2.1");
  await eventually(async () =>
    expect(await shown(id)).toMatchObject({
      refusedEmails: 1,
      receivedEmails: 0,
      lastRefusal: { reason: "switched-off" },
    }),
  );
});

test("where every address was disabled for its failures, mail is refused for three days for now, then for good", async () => {
  const address = "dead@example.net";
  const { proxyAddress, id } = await makeBinding(rest, { real_addresses: [address] });
  await verify(address);
  refusals.set(address, [550, "5.1.1 no such user here"]);
  for (let count = 0; count < 8; count++) await send(proxyAddress, "dead", `ann${count}@example.com`);
  await eventually(async () => expect(await send(proxyAddress)).toContain("450 4.2.1"));
  await eventually(async () =>
    expect(await shown(id)).toMatchObject({
      lastRefusal: { reason: "suspended" },
      realAddresses: [{ suspendedAt: expect.any(String) }],
    }),
  );
  const notices = () =>
    sink.messages.filter(
      ({ recipient, bytes }) => recipient === own() && bytes.includes(address) && bytes.includes("stopped"),
    );
  await eventually(() => expect(notices()).toHaveLength(1));
  await asSuperuser(
    await installation.databaseUrl(),
    "update bindings.real_address set suspended_at = suspended_at - interval '3 days' where suspended_at is not null",
  );
  expect(await send(proxyAddress)).toContain("550 5.2.1");
  expect(notices()).toHaveLength(1);
});

test.each([
  ["is browsable", { is_browsable: true }],
  ["leads to a reserved internal domain", { real_addresses: [] }],
])("an address that %s takes mail, counts it and tells of it, though nothing is forwarded", async (_, settings) => {
  const { proxyAddress, id } = await makeBinding(rest, { real_addresses: ["never@example.net"], ...settings });
  const [emailId = ""] = emailIds(await send(proxyAddress, "kept"));
  await eventually(async () => expect(await shown(id)).toMatchObject({ receivedEmails: 1, refusedEmails: 0 }));
  await eventually(async () => expect(await timeline(id, emailId)).toContainEqual({ kind: "accepted", target: null }));
  expect(received("kept")).toEqual([]);
});
