import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { SinkRefusal, SmtpSink } from "../support/mail/smtp-sink.ts";
import { asSuperuser } from "../support/peers/database.ts";
import { chooseAddress } from "./support/addresses.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let sink: SmtpSink;
let site: Site;
/** Recipients that the next hop refuses for good. */
const refused = new Set<string>();

beforeAll(async () => {
  sink = await SmtpSink.start({
    atRecipient: (recipient) => {
      if (refused.has(recipient)) throw new SinkRefusal(550, "5.1.1 Nobody here");
    },
  });
  site = await openSite({ OUTBOUND: sink.url, AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(async () => {
  await site?.close();
  await sink?.stop();
});

test("what failed is listed over all addresses, and tried again all at once", async () => {
  const { installation } = site;
  const { username } = installation.account;
  const rest = await installation.rest();
  const kept = await makeBinding(rest, { real_addresses: [username], is_browsable: true });
  const forwarded = await makeBinding(rest, { real_addresses: [username] });
  refused.add(username);
  for (const [to, from] of [
    [kept, "one@a.example"],
    [kept, "two@b.example"],
    [forwarded, "three@c.example"],
  ] as const)
    await sendMail(installation.smtpPort, { to: to.proxyAddress, from, subject: `From ${from}`, text: "Hello again." });
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.getByRole("link", { name: "Failures", exact: true }).click();
  const rows = page.getByRole("list", { name: "Undelivered email" }).getByRole("listitem");
  await eventually(async () => {
    await page.reload();
    await rows.first().waitFor({ timeout: 5_000 });
    expect(await rows.filter({ hasText: "Failed" }).count()).toBe(3);
  });
  // What only was forwarded is a line without content, and nothing is left of it to send.
  const log = rows.filter({ hasText: "three@c.example" });
  expect(await log.textContent()).toContain("(not stored, forwarded only)");
  expect([await log.getByRole("checkbox").count(), await rows.getByRole("checkbox").count()]).toEqual([0, 2]);
  await page.getByRole("radio", { name: "Retrying", exact: true }).click();
  await page.getByText("Nothing failed").waitFor();
  await page.getByRole("radio", { name: "Failed", exact: true }).click();
  await page.getByRole("combobox", { name: "Reason" }).selectOption("Mailbox full or busy");
  await page.getByText("Nothing failed that matches.").waitFor();
  await page.getByRole("combobox", { name: "Reason" }).selectOption("Recipient not found or blocked");
  await eventually(async () => expect(await rows.count()).toBe(3));
  await page.getByRole("combobox", { name: "Received" }).selectOption("In the last 24 hours");
  await chooseAddress(page, forwarded.proxyAddress);
  await eventually(async () => expect(await rows.count()).toBe(1));
  expect(new URL(page.url()).search).toBe(`?view=failed&address=${forwarded.id}&reason=recipient&time=day`);
  await page.reload();
  await log.waitFor();
  expect(await rows.count()).toBe(1);
  await page.getByRole("button", { name: /^Address:/ }).click();
  await page.getByRole("menuitem", { name: "All addresses" }).click();
  await eventually(async () => expect(await rows.count()).toBe(3));
  await page.getByRole("checkbox", { name: "Select From one@a.example" }).check({ force: true });
  await page.getByRole("button", { name: "Retry 1 selected" }).waitFor();
  await page.getByRole("checkbox", { name: "Select From one@a.example" }).uncheck({ force: true });
  refused.clear();
  await page.getByRole("button", { name: "Retry all 2 now" }).click();
  await page.getByText("2 deliveries are being retried.").waitFor();
  await eventually(() => expect(sink.messages.filter(({ bytes }) => bytes.includes("Hello again."))).toHaveLength(2));
  await eventually(async () => {
    await page.reload();
    await log.waitFor({ timeout: 5_000 });
    expect(await rows.count()).toBe(1);
  });
  expect(complaints).toEqual([]);
  await close();
});

test("all that match are tried again, also those that are not shown yet, and the rest is left alone once it is stopped", async () => {
  const { installation } = site;
  const rest = await installation.rest();
  const { id, proxyAddress } = await makeBinding(rest, { is_browsable: true });
  const ids: string[] = [];
  for (let number = 1; number <= 130; number += 1)
    ids.push(...emailIds(await sendMail(installation.smtpPort, { to: proxyAddress, subject: "" })));
  // The next hop is spared once it refuses, so that as many failures would take long.
  await eventually(async () => {
    const update = `update mailbox.mail_entry set failed_count = 1 where binding_id = '${id}' returning email_id`;
    expect(await asSuperuser(await installation.databaseUrl(), update)).toHaveLength(130);
  });
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.goto(`/failures?view=failed&address=${id}`);
  await page.getByRole("checkbox", { name: "Select (no subject)" }).first().waitFor();
  const [asked, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const retried: string[] = [];
  await page.route("**/graphql", async (route) => {
    const { operationName, variables } = route.request().postDataJSON() ?? {};
    if (operationName === "RetryFailed") {
      asked.resolve();
      await stopped.promise;
      retried.push(...variables.emailIds);
    }
    await route.continue();
  });
  const retryAll = page.getByRole("button", { name: "Retry all now" });
  await retryAll.click();
  await asked.promise;
  await page.getByRole("progressbar", { name: "0 done" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  stopped.resolve();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  expect(new Set(retried)).toEqual(new Set(ids.slice(30)));

  await retryAll.click();
  await page.getByRole("progressbar").waitFor();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  expect(new Set(retried)).toEqual(new Set(ids));
  expect(complaints).toEqual([]);
  await close();
});
