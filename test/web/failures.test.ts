import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { asSuperuser } from "../support/peers/database.ts";
import { chooseAddress } from "./support/addresses.ts";
import { type RefusingHop, startRefusingHop } from "./support/refusing-hop.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let hop: RefusingHop;
let site: Site;

beforeAll(async () => {
  hop = await startRefusingHop(550, "5.1.1 Nobody here");
  site = await openSite({ OUTBOUND: hop.sink.url, AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(async () => {
  await site?.close();
  await hop?.sink.stop();
});

test("what failed is listed over all addresses, and tried again all at once", async () => {
  const { installation } = site;
  const { username } = installation.account;
  const rest = await installation.rest();
  const kept = await makeBinding(rest, { real_addresses: [username], is_browsable: true });
  const forwarded = await makeBinding(rest, { real_addresses: [username] });
  hop.refused.add(username);
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
  // Why, without a pointer to rest on it.
  const reasons = rows.getByText("Recipient not found or blocked", { exact: true });
  expect(await reasons.evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth))).toEqual([0, 0, 0]);
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
  await page.getByRole("checkbox", { name: "Select one@a.example: From one@a.example" }).check({ force: true });
  await page.getByRole("button", { name: "Retry 1 selected" }).waitFor();
  await page.getByRole("checkbox", { name: "Select one@a.example: From one@a.example" }).uncheck({ force: true });
  hop.refused.clear();
  await page.getByRole("button", { name: "Retry all 2 now" }).click();
  await page.getByText("2 deliveries are being retried.").waitFor();
  await eventually(() =>
    expect(hop.sink.messages.filter(({ bytes }) => bytes.includes("Hello again."))).toHaveLength(2),
  );
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
    // What is processed later would count none.
    const update = `update mailbox.mail_entry as entry set failed_count = 1 from mailbox.email
      where email.id = entry.email_id and is_processed and entry.binding_id = '${id}' returning entry.email_id`;
    expect(await asSuperuser(await installation.databaseUrl(), update)).toHaveLength(130);
  });
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.goto(`/failures?view=failed&address=${id}`);
  const boxes = page.getByRole("checkbox", { name: /^Select .+: \(no subject\)$/ });
  await boxes.first().waitFor();
  const [asked, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const retried: string[] = [];
  await page.route("**/graphql", async (route) => {
    const { operationName, variables } = route.request().postDataJSON() ?? {};
    if (operationName === "RetryDeliveries") {
      asked.resolve();
      await stopped.promise;
      retried.push(...variables.emailIds);
    }
    await route.continue();
  });
  const retryAll = page.getByRole("button", { name: "Retry all now" });
  await retryAll.click();
  await asked.promise;
  const progress = page.getByRole("progressbar", { name: "0 done" });
  expect(await progress.evaluate((bar) => bar.matches(":indeterminate"))).toBe(true);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stopping…" }).waitFor();
  stopped.resolve();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  expect(new Set(retried)).toEqual(new Set(ids.slice(30)));
  await page.getByText("There is nothing left to retry.").waitFor();
  await page.locator("h1:focus").waitFor();

  await retryAll.click();
  await eventually(() => expect(new Set(retried)).toEqual(new Set(ids)));
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await close();
});

test("what was tried again is no longer selected, but for what a service could not do and what was selected meanwhile", async () => {
  const { page, close } = await site.visit();
  await signIn(page, site.installation.account);
  await page.goto("/failures?view=failed");
  const boxes = page.getByRole("checkbox", { name: /^Select .+: \(no subject\)$/ });
  await boxes.first().press("Space");
  const retry = page.getByRole("button", { name: "Retry 1 selected" });
  let [isDown, calls] = [true, 0];
  const [asked, selected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/graphql", async (route) => {
    const { operationName } = route.request().postDataJSON() ?? {};
    if (operationName === "RetryCallbacks") {
      calls += 1;
      await route.fulfill({ json: { data: { retryCallbacks: { count: 3 } } } });
    } else if (operationName !== "RetryDeliveries") await route.continue();
    else if (isDown) {
      const extensions = { code: "UNAVAILABLE", kind: "Unavailable" };
      const errors = [{ message: "Not now.", path: ["retryDeliveries"], extensions }];
      await route.fulfill({ json: { data: { retryDeliveries: null }, errors } });
    } else {
      asked.resolve();
      await selected.promise;
      await route.continue();
    }
  });
  await retry.click();
  await page.getByText("3 deliveries are being retried.").waitFor();
  await page.getByText("Part of the service is unavailable right now.").waitFor();
  expect(calls).toBe(1);
  expect(await boxes.first().isChecked()).toBe(true);
  isDown = false;
  await retry.click();
  await asked.promise;
  await boxes.nth(1).press("Space");
  selected.resolve();
  await boxes.first().and(page.locator(":not(:checked)")).waitFor({ state: "attached" });
  expect(await boxes.nth(1).isChecked()).toBe(true);
  await close();
});

test("nothing is tried again by a list that another filter left", async () => {
  const { page, complaints, close } = await site.visit();
  await signIn(page, site.installation.account);
  await page.goto("/failures?view=failed");
  const retryAll = page.getByRole("button", { name: "Retry all now" });
  await retryAll.waitFor();
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/graphql", async (route) => {
    const { operationName, variables } = route.request().postDataJSON() ?? {};
    if (operationName === "Mail" && variables.filter.failureReasons) {
      asked.resolve();
      await held.promise;
    }
    await route.continue();
  });
  await page.getByRole("combobox", { name: "Reason" }).selectOption("Mailbox full or busy");
  await asked.promise;
  expect(await retryAll.getAttribute("aria-disabled")).toBe("true");
  held.resolve();
  await page.getByText("Nothing failed that matches.").waitFor();
  expect(complaints).toEqual([]);
  await close();
});
