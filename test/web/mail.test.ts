import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(() => site?.close());

const hostile = `<img src=x onerror="document.title='broken'">`;

test("the inbox of all addresses says who wrote and how it begins, counts what is unread, searches and is live", async () => {
  const { installation } = site;
  const rest = await installation.rest();
  const first = await makeBinding(rest, { is_browsable: true });
  const second = await makeBinding(rest, { is_browsable: true });
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.getByRole("link", { name: "Inbox", exact: true }).click();
  await page.getByText("No email yet").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  const from = `"${hostile.replaceAll('"', "'")}" <news@shop.example>`;
  await sendMail(installation.smtpPort, {
    to: first.proxyAddress,
    from,
    subject: hostile,
    text: `${hostile}\nA zebra crossed.`,
  });
  await sendMail(installation.smtpPort, {
    to: second.proxyAddress,
    from: "Tea Shop <tea@shop.example>",
    subject: "Tea",
    text: "It is\n\nready.",
  });
  const list = page.getByRole("list", { name: "Email" });
  const tea = list.getByRole("link", { name: /Tea Shop.*Tea.*It is ready\./ });
  await tea.waitFor();
  expect(await tea.textContent()).toContain(second.proxyAddress);
  expect(await list.getByRole("link", { name: /onerror/ }).textContent()).toContain(first.proxyAddress);
  await eventually(async () => expect(await page.title()).toBe("(2) Inbox · Postern"));

  const search = page.getByRole("searchbox", { name: "Search subjects, senders and text" });
  await search.fill("zebr");
  await tea.waitFor({ state: "detached" });
  expect(await list.getByRole("listitem").count()).toBe(1);
  expect(new URL(page.url()).searchParams.get("q")).toBe("zebr");
  await search.fill("");
  await tea.click();
  await page.getByRole("heading", { level: 1, name: "Tea" }).waitFor();
  await page.goBack();
  await eventually(async () => expect(await page.title()).toBe("(1) Inbox · Postern"));
  await page.getByRole("radio", { name: "Unread (1)" }).click();
  await tea.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await page.getByText("Nothing unread").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("mail to a tag of an address shows the tag, in each list and above the email", async () => {
  const { installation } = site;
  const { id, proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  const tagged = proxyAddress.replace("@", "+run42@");
  await sendMail(installation.smtpPort, { to: tagged, subject: "Tagged", text: "Hello." });
  await sendMail(installation.smtpPort, { to: proxyAddress.toUpperCase(), subject: "Plain", text: "Hello." });
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  const row = (subject: string) => page.getByRole("list", { name: "Email" }).getByRole("link", { name: subject });
  await page.goto(`${installation.url}/inbox`);
  await row("Tagged").getByText(tagged).waitFor();
  await row("Plain").getByText(proxyAddress, { exact: true }).waitFor();
  await page.goto(`${installation.url}/addresses/${id}`);
  await row("Plain").waitFor();
  expect(await row("Plain").getByText("@").count()).toBe(0);
  await row("Tagged").getByText(tagged).click();
  await page.getByRole("link", { name: tagged }).click();
  await page.waitForURL(`**/addresses/${id}`);
  expect(complaints).toEqual([]);
  await close();
});

test("a code and a link to confirm with stand in a row above the email, which leads to those before and after it", async () => {
  const { installation } = site;
  const { proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  const send = (subject: string, text: string) =>
    sendMail(installation.smtpPort, { to: proxyAddress, from: "noreply@code.example", subject, text });
  await send("Before", "Hello.");
  const confirm = "https://code.example/confirm?token=abcdef1234567890";
  await send("Your code", `Your verification code is 482913.\n\nOr open ${confirm}`);
  await send("After", "Hello.");
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.goto("/inbox");
  await page.getByRole("link", { name: /Your code/ }).click();
  const shortcuts = page.getByRole("region", { name: "Codes and links" });
  const [code, link] = [shortcuts.locator(".extracted-code"), shortcuts.getByRole("link")];
  await code.getByRole("button", { name: "Copy 482913" }).waitFor();
  expect(await link.textContent()).toBe("Open link at code.example");
  expect(await link.getAttribute("href")).toBe(confirm);
  const [title, first, second] = await Promise.all(
    [page.getByRole("heading", { level: 1 }), code, link].map((part) => part.boundingBox()),
  );
  expect(first?.x).toBe(title?.x);
  expect(second?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0));
  const others = page.getByRole("navigation", { name: "Other emails" });
  await others.getByRole("link", { name: "Newer email" }).click();
  await page.getByRole("heading", { level: 1, name: "After" }).waitFor();
  await others.getByRole("link", { name: "Older email" }).click();
  await page.getByRole("heading", { level: 1, name: "Your code" }).waitFor();
  await others.getByRole("link", { name: "Older email" }).click();
  await page.getByRole("heading", { level: 1, name: "Before" }).waitFor();
  await others.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a long subject takes three lines of a phone, and stands whole among the headers", async () => {
  const { installation } = site;
  const { proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  const subject = "A subject that does not end ".repeat(18).trim();
  await sendMail(installation.smtpPort, { to: proxyAddress, subject });
  const { page, close } = await site.visit();
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, installation.account);
  await page.goto(`${installation.url}/inbox`);
  await page.getByRole("link", { name: subject }).click();
  const heading = page.getByRole("heading", { level: 1, name: subject });
  await heading.waitFor();
  const { shown, whole } = await heading.evaluate((it) => ({ shown: it.clientHeight, whole: it.scrollHeight }));
  expect(whole).toBeGreaterThan(2 * shown);
  await page.getByRole("button", { name: "Headers" }).click();
  await page.getByRole("row", { name: `Subject ${subject}` }).waitFor();
  await close();
});

test("whoever deletes an email is back in the list that it was opened from, as it was searched, and is told", async () => {
  const { installation } = site;
  const { id, proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  for (const subject of ["Okapi one", "Okapi two", "Okapi three"])
    await sendMail(installation.smtpPort, { to: proxyAddress, subject, text: "Hello." });
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  const remove = async () => {
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete email" }).click();
    await page.getByText("Email deleted", { exact: true }).last().waitFor();
  };
  const list = page.getByRole("list", { name: "Email" });
  // Until then no list is read again.
  let counted: PromiseWithResolvers<void> | undefined;
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName === "Mail") await counted?.promise;
    await route.continue();
  });
  const okapis = list.getByRole("link", { name: /Okapi/ });
  for (const [path, left] of [
    ["/inbox?q=okapi&view=all", 2],
    [`/addresses/${id}`, 1],
  ] as const) {
    await page.goto(`${installation.url}${path}`);
    await okapis.first().click();
    await page.getByRole("link", { name: "Older email" }).click();
    counted = Promise.withResolvers();
    await remove();
    await list.waitFor();
    expect(page.url()).toBe(`${installation.url}${path}`);
    expect(await okapis.count()).toBe(left);
    counted.resolve();
  }
  await list.getByRole("link", { name: /Okapi/ }).click();
  await page.getByRole("link", { name: proxyAddress }).first().click();
  await list.waitFor();
  await list.getByRole("link", { name: /Okapi/ }).click();
  // Opened by its address alone.
  await page.evaluate("history.replaceState(null, '', location.href)");
  await page.reload();
  await remove();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("one email causes two requests at most, however much is loaded", async () => {
  const { installation } = site;
  const { id, proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  for (let number = 0; number < 65; number++)
    await sendMail(installation.smtpPort, { to: proxyAddress, subject: `Number ${number}`, text: "Hello." });
  const { page, requests, complaints, close } = await site.visit();
  await page.clock.install();
  await signIn(page, installation.account);
  for (const path of ["/inbox", `/addresses/${id}`]) {
    await page.goto(`${installation.url}${path}`);
    await page
      .getByRole("link", { name: /Number|Latest/ })
      .first()
      .waitFor();
    // To the end, so that all pages are loaded.
    await eventually(async () => {
      await page.mouse.wheel(0, 20_000);
      expect(await page.getByRole("link", { name: /Number 0 / }).count()).toBe(1);
    });
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
    await page.waitForLoadState("networkidle");
    const graph = () => requests.filter((url) => url.endsWith("/graphql")).length;
    const before = graph();
    await sendMail(installation.smtpPort, { to: proxyAddress, subject: `Latest ${path}`, text: "Hello." });
    await eventually(() => expect(graph()).toBeGreaterThan(before));
    await page.clock.runFor(10_000);
    await page.waitForLoadState("networkidle");
    expect(graph() - before).toBeLessThanOrEqual(2);
    await page.mouse.wheel(0, -100_000);
    await page.getByRole("link", { name: `Latest ${path}` }).waitFor();
  }
  expect(complaints).toEqual([]);
  await close();
});
