import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { sendMail } from "../support/mail/send-mail.ts";
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

/** Writes down every notice, and when the browser is asked for leave; the page has the focus or not as it is told. */
const observed = `
  window.told = [];
  window.isLookedAt = true;
  document.hasFocus = () => window.isLookedAt;
  window.Notification = class extends Notification {
    static requestPermission() { window.told.push("asked"); return super.requestPermission(); }
    constructor(title, options) { super(title, options); window.last = this; window.told.push(title + " | " + options.body); }
  };`;

const told = (page: Page) => page.evaluate("window.told") as Promise<string[]>;

async function lookAway(page: Page): Promise<void> {
  const known = page.waitForResponse((response) => response.url().endsWith("/graphql"));
  await page.evaluate("window.isLookedAt = false; window.dispatchEvent(new Event('blur'))");
  await known;
  await page.waitForLoadState("networkidle");
}

test("notices come by the browser once they are switched on by a click, while nobody looks at the page", async () => {
  const { installation } = site;
  const { username } = installation.account;
  const rest = await installation.rest();
  const { proxyAddress } = await makeBinding(rest, { is_browsable: true });
  const forwarded = await makeBinding(rest, { real_addresses: [username] });
  const { page, requests, complaints, close } = await site.visit();
  await page.context().grantPermissions(["notifications"]);
  await page.addInitScript(observed);
  await signIn(page, installation.account);
  await page.getByRole("link", { name: "Settings" }).click();
  const toggle = page.getByRole("switch", { name: "Notify me of new email and of failures" });
  await toggle.waitFor();
  expect([await toggle.isChecked(), await told(page)]).toEqual([false, []]);
  await page.getByText("Notify me of new email and of failures").click();
  await eventually(async () =>
    expect(await told(page)).toEqual(["asked", "Notifications are on | New email and failures are shown like this."]),
  );
  expect(await toggle.isChecked()).toBe(true);

  await page.getByRole("link", { name: "Inbox", exact: true }).click();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.clock.install();
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  const send = (subject: string) =>
    sendMail(installation.smtpPort, {
      to: proxyAddress,
      from: "Tea Shop <tea@shop.example>",
      subject,
      text: "A secret body.",
    });
  await send("Seen at once");
  await page.getByRole("link", { name: /Seen at once/ }).waitFor();
  expect(await told(page)).toEqual([]);
  await page.waitForLoadState("networkidle");
  await page.clock.runFor(5_000);
  await lookAway(page);
  const before = requests.length;
  await send("While away");
  await eventually(async () => expect(await told(page)).toEqual(["Tea Shop | While away"]));
  await page.clock.runFor(5_000);
  await page.getByRole("link", { name: /While away/ }).waitFor();
  expect(requests.slice(before).filter((url) => url.endsWith("/graphql")).length).toBeLessThanOrEqual(2);

  hop.refused.add(username);
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  await lookAway(page);
  await sendMail(installation.smtpPort, { to: forwarded.proxyAddress, from: "lost@a.example", subject: "Lost" });
  await eventually(async () => {
    await page.clock.runFor(60_000);
    expect(await told(page)).toEqual(["1 email could not be delivered | lost@a.example: (not stored, forwarded only)"]);
  });
  await page.evaluate("window.last.dispatchEvent(new Event('click'))");
  await page.waitForURL(/\/emails\//);

  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByText("Notify me of new email and of failures").click();
  await eventually(async () => expect(await toggle.isChecked()).toBe(false));
  expect(complaints).toEqual([]);
  await close();
});

test("who refuses them is told where to allow them, and the switch stays off", async () => {
  const { page, complaints, close } = await site.visit();
  await page.addInitScript(
    `${observed} Object.defineProperty(Notification, "requestPermission", { value: async () => "denied" });`,
  );
  await signIn(page, site.installation.account);
  await page.getByRole("link", { name: "Settings" }).click();
  const toggle = page.getByRole("switch", { name: "Notify me of new email and of failures" });
  await page.getByText("Notify me of new email and of failures").click();
  await page.getByText("Your browser blocks notifications from this site.").waitFor();
  expect([await toggle.isChecked(), await told(page)]).toEqual([false, []]);
  expect(complaints).toEqual([]);
  await close();
});
