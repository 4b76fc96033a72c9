import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { callbackTarget } from "../support/http/callback-target.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { asSuperuser } from "../support/peers/database.ts";
import { makeAddress, openAddress, openTab } from "./support/addresses.ts";
import { type RefusingHop, startRefusingHop } from "./support/refusing-hop.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let hop: RefusingHop;
let site: Site;

beforeAll(async () => {
  hop = await startRefusingHop(451, "4.2.2 The mailbox is full for now");
  site = await openSite({
    OUTBOUND: hop.sink.url,
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
    FORWARD_RETRY_S: "3600",
    CALLBACK_RETRY_S: "3600",
  });
}, openLimitMs);
afterAll(async () => {
  await site?.close();
  await hop?.sink.stop();
});

test("a callback is tested, and what was deferred or failed is tried again by a button", async () => {
  const { installation } = site;
  const target = await callbackTarget();
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  const proxyAddress = await makeAddress(page);
  await openAddress(page, proxyAddress);
  await openTab(page, "Settings");
  const url = page.getByLabel("Webhook URL");
  await url.fill(target.url);
  await page.getByRole("group", { name: "Webhook" }).getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("Answered 200").waitFor();
  target.answerWith(503);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("Answered 503").waitFor();
  await page.getByText("Anything but 2xx counts as failed").waitFor();
  expect(target.received).toHaveLength(2);

  target.answerWith(500);
  hop.refused.add(installation.account.username);
  await openTab(page, "Email");
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Try again", text: "Please." });
  await page.getByRole("link", { name: /Try again/ }).click();
  const forward = page.locator(".outcome").filter({ hasText: "Forward" });
  const callback = page.locator(".outcome").filter({ hasText: "Webhook" });
  await forward.getByText("451 4.2.2 The mailbox is full for now").waitFor();
  await callback.getByText("answered 500").waitFor();
  expect(await page.getByText(/^Retrying in /).count()).toBe(2);
  expect(hop.sink.messages.filter(({ bytes }) => bytes.includes("Please."))).toHaveLength(0);

  hop.refused.clear();
  await forward.getByRole("button", { name: `Retry now: ${installation.account.username}` }).click();
  await callback.getByRole("button", { name: `Retry now: ${target.url}` }).click();
  for (const outcome of [forward, callback]) await outcome.getByText("Delivered").waitFor();
  expect(await page.getByRole("button", { name: /^Retry now/ }).count()).toBe(0);
  expect(hop.sink.messages.filter(({ bytes }) => bytes.includes("Please."))).toHaveLength(1);
  expect(target.received).toHaveLength(4);
  const log = page.getByRole("list", { name: "Event log" }).getByRole("listitem");
  for (const step of [/^Delayed/, /^Forwarded/]) await log.filter({ hasText: step }).waitFor();
  await page.getByRole("radio", { name: "Failed attempts" }).click();
  const attempts = page.getByRole("region", { name: "Webhook attempts" });
  await attempts.getByText("500", { exact: true }).click();
  await attempts.getByText(/webhook-signature: v1,/).waitFor();
  expect(complaints).toEqual([]);
  await target.close();
  await close();
});

test("the account's webhook that is gone is switched off with a notice, and what failed is sent once it is on again", async () => {
  const { installation } = site;
  const target = await callbackTarget();
  target.answerWith(500, 410);
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.goto("/webhooks");
  await page.getByRole("textbox", { name: "URL" }).fill(target.url);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Send a test" }).waitFor();
  await makeBinding(await installation.rest(), {});
  const made = page.getByRole("listitem").filter({ hasText: "An address was created" });
  await eventually(async () => {
    await page.reload();
    await page.getByRole("heading", { name: "Events sent" }).waitFor();
    expect(await made.getByText(/^500/).count()).toBe(1);
  });
  await made.getByText(/^Retrying in /).waitFor();
  await made.getByRole("button", { name: "Send again: An address was created" }).click();
  // From here on without a reload: what becomes of it is looked up by itself.
  await made.getByText("Failed", { exact: true }).waitFor();
  await made.getByText(/^410/).click();
  await made
    .getByRole("region", { name: /^Request / })
    .getByText(/webhook-signature: /)
    .waitFor();
  await page.getByText("It answered that it is gone (410).").waitFor();
  await page.getByRole("button", { name: "Switch on again" }).click();
  await page.getByText("It answered that it is gone (410).").waitFor({ state: "detached" });
  // The notice of the first time would be taken for that of the second.
  await page.getByText("1 event is sent again.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send 1 failed event again" }).click();
  await page.getByText("1 event is sent again.").waitFor();
  await made.getByText("Delivered", { exact: true }).waitFor();
  expect(target.received.map(({ status, body }) => [status, body["kind"]])).toEqual([
    [500, "address.made"],
    [410, "address.made"],
    [200, "address.made"],
  ]);
  expect(complaints).toEqual([]);
  await target.close();
  await close();
});

test("what failed is sent again as far as it matches, also what is not shown yet, and the button says how much it is", async () => {
  const { installation } = site;
  const target = await callbackTarget();
  const rest = await installation.rest();
  await rest.send("PUT", "/api/postern/v1/webhook", { url: target.url, kinds: ["address.made"] });
  target.answerWith(500, 500);
  const { id } = await makeBinding(rest, {});
  await makeBinding(rest, {});
  await eventually(async () => {
    const end = `update webhook.event_call set state = 'given_up', settled_at = now()
      where url = '${target.url}' and jsonb_array_length(attempts) = 1 returning id`;
    expect(await asSuperuser(await installation.databaseUrl(), end)).toHaveLength(2);
  });
  for (let number = 0; number < 21; number += 1) await makeBinding(rest, {});
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Send 2 failed events again" }).waitFor();
  await page.goto(`/webhooks?address=${id}`);
  await page.getByRole("button", { name: "Send 1 failed event again" }).click();
  await page.getByText("1 event is sent again.").waitFor();
  await page.getByRole("listitem").getByText("Delivered", { exact: true }).waitFor();
  await page.goto("/webhooks?view=failed");
  await page.getByRole("button", { name: "Send 1 failed event again" }).click();
  await page.getByText("There are no such events.").waitFor();
  expect(complaints).toEqual([]);
  await target.close();
  await close();
});

test("the timeline says in words that a mail was not forwarded to an address that is not confirmed, in German too", async () => {
  const { installation } = site;
  const { username } = installation.account;
  const unconfirmed = "unconfirmed@example.net";
  const { proxyAddress } = await makeBinding(await installation.rest(), { real_addresses: [username, unconfirmed] });
  const [id] = emailIds(await sendMail(installation.smtpPort, { to: proxyAddress, subject: "For two" }));
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.goto(`/emails/${id}`);
  const step = (text: string) => page.getByRole("listitem").filter({ hasText: text }).filter({ hasText: unconfirmed });
  await step("Not forwarded: the address was not confirmed").waitFor();
  await page.getByRole("listitem").filter({ hasText: username }).filter({ hasText: "Delivered" }).waitFor();
  await page.goto("/settings");
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.goto(`/emails/${id}`);
  await step("Nicht weitergeleitet: Die Adresse war nicht bestätigt").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("mail that nobody would get is turned away, and its owner sees how often and why", async () => {
  const { installation } = site;
  const { page, complaints, close } = await site.visit();
  const { id, proxyAddress } = await makeBinding(await installation.rest(), {
    real_addresses: [installation.account.username],
  });
  await signIn(page, installation.account);
  await page.goto(`${installation.url}/addresses/${id}/settings`);
  await page.getByRole("list", { name: "Forwards to" }).getByText(installation.account.username).click();
  await eventually(async () => {
    const refused = await sendMail(installation.smtpPort, { to: proxyAddress }).catch(String);
    expect(refused).toContain("550 5.2.1");
  });
  await eventually(async () => {
    await page.reload();
    await page.getByText(/rejected, most recently .*: every forwarding address is switched off\./).waitFor();
  });
  expect(complaints).toEqual([]);
  await close();
});

test("a recorder shows each call as it comes in", async () => {
  const { page, complaints, close } = await site.visit();
  await signIn(page, site.installation.account);
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: "Test endpoints" }).click();
  await page.getByText("You have no test endpoints yet.").waitFor();
  await page.getByRole("button", { name: "New test endpoint" }).click();
  await page.getByText("Waiting for the first request").waitFor();
  const callUrl = (await page.locator("code").first().textContent()) ?? "";
  expect(callUrl.startsWith(`${site.installation.url}/api/v1/callback/call/`)).toBe(true);
  await fetch(callUrl, { method: "PUT", body: '{"order": 42}' });
  const calls = page.getByRole("list", { name: "Requests" }).getByRole("listitem");
  await calls.filter({ hasText: "PUT" }).getByText('"order": 42').waitFor();
  await fetch(callUrl, { method: "POST", body: "<b>not JSON</b>" });
  await calls.filter({ hasText: "POST" }).getByText("<b>not JSON</b>").waitFor();
  expect(await calls.count()).toBe(2);
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: "Test endpoints" }).click();
  await page.getByText(/last called by POST/).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a mail is shown without what one service cannot say of it, which is named", async () => {
  const { installation } = site;
  const { page, close } = await site.visit();
  await signIn(page, installation.account);
  const proxyAddress = await makeAddress(page);
  const [emailId = ""] = emailIds(
    await sendMail(installation.smtpPort, { to: proxyAddress, subject: "In part", text: "All the same." }),
  );
  const url = await installation.databaseUrl();
  await asSuperuser(url, "alter table webhook.callback rename to callback_gone");
  try {
    await page.goto(`/emails/${emailId}`);
    await page.getByText("The webhook can't be shown right now").waitFor();
    await page.locator(".outcome").filter({ hasText: "Forward" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "In part" }).waitFor();
  } finally {
    await asSuperuser(url, "alter table webhook.callback_gone rename to callback");
  }
  // There is none to be shown.
  await page.reload();
  await page.locator(".outcome").filter({ hasText: "Forward" }).waitFor();
  expect(await page.getByText("can't be shown right now").count()).toBe(0);
  await close();
});
