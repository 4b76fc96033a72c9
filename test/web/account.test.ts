import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { makeAddress } from "./support/addresses.ts";
import { linkTo } from "./support/people.ts";
import { codeOf, setUpSecondFactor } from "./support/second-factor.ts";
import { giveCredentials, newcomer, openSettings, section, shownToken, signOut } from "./support/settings.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSharedSite();
}, openLimitMs);
afterAll(() => site?.close());

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Two-factor authentication" }).waitFor();
  // A wrong one is taken out of the field.
  await eventually(async () => expect(await page.getByLabel("Code").inputValue()).toBe(""));
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("a second factor is switched on, asked for at the next sign-in, and switched off", async () => {
  const { page, person, complaints, close } = await newcomer(site);
  const factor = section(page, "Two-factor authentication");
  const { secret, recoveryCodes: codes } = await setUpSecondFactor(page);
  expect(new Set(codes).size).toBe(10);

  await signOut(page);
  await giveCredentials(page, person);
  await giveCode(page, "000000");
  await page.getByRole("alert").waitFor();
  await giveCode(page, await codeOf(secret, 1));
  await page
    .getByRole("heading", { level: 1, name: "Settings" })
    .or(page.getByRole("heading", { level: 1, name: "Your addresses" }))
    .waitFor();

  // Without the authenticator at hand.
  await signOut(page);
  await giveCredentials(page, person);
  await giveCode(page, codes[0] ?? "");
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await openSettings(page);
  await factor.getByLabel("Code to disable it").fill(codes[1] ?? "");
  await factor.getByRole("button", { name: "Disable" }).click();
  await factor.getByRole("button", { name: "Set up two-factor authentication" }).waitFor();
  await signOut(page);
  await signIn(page, person);
  expect(complaints).toEqual([]);
  await close();
});

test("sessions are listed; those that are ended are at the door again", async () => {
  const { page, person, complaints, close } = await newcomer(site);
  const others = [await site.visit(), await site.visit()];
  for (const other of others) await signIn(other.page, person);
  await page.reload();
  const sessions = section(page, "Sessions");
  await sessions.getByText("This device").waitFor();
  expect(await sessions.getByRole("listitem").count()).toBe(3);
  expect(await sessions.getByText("Chrome on Linux, from 127.0.0.1").count()).toBe(3);
  const ends = sessions.getByRole("button", { name: "Sign out Chrome on Linux from 127.0.0.1" });
  await ends.first().click();
  await sessions.getByRole("listitem").nth(2).waitFor({ state: "detached" });
  // The focus is on the row that has the place of the one that is gone, and on the heading where none can be ended.
  await page.locator(":focus").and(ends).press("Enter");
  await sessions.getByRole("listitem").nth(1).waitFor({ state: "detached" });
  await page
    .locator(":focus")
    .and(sessions.getByRole("heading", { name: "Sessions" }))
    .waitFor();
  for (const other of others) {
    await other.page.getByRole("link", { name: "Webhooks" }).click();
    await other.page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await other.page.reload();
    await other.page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await other.close();
  }
  expect(complaints).toEqual([]);
  await close();
});

test("what is kept is shown, and all of it comes as one download; then the account is deleted for good", async () => {
  const { page, person, complaints, close } = await newcomer(site);
  await section(page, "Your data")
    .getByText(/^Stored email: 0\b/)
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    section(page, "Your data").getByRole("link", { name: "Download" }).click(),
  ]);
  const exported = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(exported).toMatchObject({ account: { username: person.username }, emails: [], recorders: [] });
  expect(exported.proxyBindings).toHaveLength(1);

  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  const to = await makeAddress(page);
  await sendMail(site.installation.smtpPort, { to, subject: "Small", text: "A few octets." });
  await openSettings(page);
  await eventually(async () => {
    await page.reload();
    await section(page, "Your data").getByText("Stored email: less than 0.1 MB").waitFor({ timeout: 2_000 });
  });

  await page.getByRole("button", { name: "Delete account" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete your account?" });
  await question.getByLabel("Your password").fill("not the password");
  await question.getByRole("button", { name: "Delete permanently" }).click();
  await question.getByRole("alert").waitFor();
  expect(await question.getByLabel("Your password").getAttribute("aria-invalid")).toBe("true");
  await question.getByLabel("Your password").fill(person.password);
  await question.getByRole("button", { name: "Delete permanently" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.getByRole("status").filter({ hasText: "Your account and everything in it was deleted." }).waitFor();
  await giveCredentials(page, person);
  await page.getByRole("alert").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a password is changed, and one that was forgotten is replaced by a link", async () => {
  const { page, person, complaints, close } = await newcomer(site);
  const form = section(page, "Password");
  const fault = form.getByRole("alert");
  await form.getByLabel("Current password").fill("not the password");
  await form.getByLabel("New password").fill("a quite different one");
  await form.getByRole("button", { name: "Change password" }).click();
  await fault.waitFor();
  expect(await form.getByLabel("Current password").getAttribute("aria-invalid")).toBe("true");
  expect(await form.getByLabel("New password").getAttribute("aria-invalid")).toBe("false");
  await form.getByLabel("Current password").fill(person.password);
  await form.getByLabel("New password").fill("short");
  await form.getByRole("button", { name: "Change password" }).click();
  await eventually(async () => expect(await form.getByLabel("New password").getAttribute("aria-invalid")).toBe("true"));
  await fault.waitFor();
  // At its field, without the name that programs know it by.
  expect(await fault.textContent()).toMatch(/^Must have at least 8 characters/);
  await form.getByLabel("New password").fill("a quite different one");
  await form.getByRole("button", { name: "Change password" }).click();
  await form.getByText("Password updated.").waitFor();
  // What programs hold stays, unless it is asked for.
  const former = await shownToken(page);
  await form.getByLabel("Current password").fill("a quite different one");
  await form.getByLabel("New password").fill("a third one, different again");
  await form.getByText("Also regenerate the API token").click();
  await form.getByRole("button", { name: "Change password" }).click();
  expect(await shownToken(page)).not.toBe(former);
  expect(await form.getByRole("switch").isChecked()).toBe(false);
  await signOut(page);
  await giveCredentials(page, person);
  await page.getByRole("alert").waitFor();

  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email address").fill(person.username);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("has an account, we've sent it a link").waitFor();
  await page.goto(await linkTo(site.installation, person.username, "reset"));
  await page.getByLabel("New password").fill("remembered from now on");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  await giveCredentials(page, { ...person, password: "remembered from now on" });
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a password is shown when asked for, until it is sent", async () => {
  const { page, complaints, close } = await newcomer(site);
  const form = section(page, "Password");
  const field = form.getByLabel("Current password");
  await field.fill("not the password");
  await form.getByLabel("New password").fill("a quite different one");
  expect(await field.getAttribute("type")).toBe("password");
  await form.getByRole("button", { name: "Show: Current password" }).click();
  expect(await field.getAttribute("type")).toBe("text");
  expect(await form.getByLabel("New password").getAttribute("type")).toBe("password");
  await form.getByRole("button", { name: "Hide: Current password" }).press("Enter");
  expect(await field.getAttribute("type")).toBe("password");
  await form.getByRole("button", { name: "Show: Current password" }).click();
  await field.press("Enter");
  await form.getByRole("alert").waitFor();
  expect(await field.getAttribute("type")).toBe("password");
  expect(await field.inputValue()).toBe("not the password");
  expect(complaints).toEqual([]);
  await close();
});

test("the page for a forgotten password leads who is signed in to where it is changed", async () => {
  const { page, complaints, close } = await newcomer(site);
  await page.goto("/forgotten");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.getByLabel("Current password").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("addresses of another service are checked, then made, and old and new can be downloaded", async () => {
  const { page, complaints, close } = await newcomer(site);
  // As if all were done within a moment of the list's being read: what was read is not looked up again by its age.
  await page.clock.setFixedTime(new Date());
  await page.getByRole("link", { name: "Import addresses" }).click();
  const buffer = Buffer.from(
    "alias,note,enabled,mailboxes\nshop@sl.example,Shop,True,me@example.org\nno address,,True,\n",
  );
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "sl.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Check file" }).click();
  const row = page.getByRole("row", { name: /shop@sl\.example/ });
  await row.getByText("Gets a new address").waitFor();
  await page
    .getByRole("row", { name: /no address/ })
    .getByText("Not imported")
    .waitFor();
  await page.getByRole("button", { name: "Start import" }).click();
  await row.getByText("Imported").waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Import");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the table" }).click(),
  ]);
  expect(await readFile(await file.path(), "utf8")).toMatch(
    /"address","shop@sl\.example","\S+@postern\.localhost","done"/,
  );
  await page.getByRole("link", { name: "See your addresses" }).click();
  await page.getByText("Shop").waitFor();
  expect(complaints).toEqual([]);
  await close();
});
