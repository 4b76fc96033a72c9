import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { makeAddress, openAddress, openTab } from "./support/addresses.ts";
import { codeOf, setUpSecondFactor } from "./support/second-factor.ts";
import { newcomer } from "./support/settings.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSharedSite();
}, openLimitMs);
afterAll(() => site?.close());

const signInAgain = (page: Page) => page.getByRole("dialog", { name: "Sign in again" });

async function givePassword(page: Page, password: string): Promise<void> {
  await signInAgain(page).getByLabel("Password").fill(password);
  await signInAgain(page).getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Somebody new who has typed a description, as their session ends. @returns the address that it is of, as well */
async function whileTyping(words: string) {
  const visit = await newcomer(site);
  const { page } = visit;
  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  const proxyAddress = await makeAddress(page);
  await openAddress(page, proxyAddress);
  await openTab(page, "Settings");
  await page.getByLabel("Description").fill(words);
  await page.context().clearCookies();
  return { ...visit, proxyAddress };
}

const saveButton = (page: Page) =>
  page.locator("form", { has: page.getByLabel("Description") }).getByRole("button", { name: "Save" });

const save = (page: Page) => saveButton(page).click();

/** What the server has, once the page is loaded anew. */
async function expectSaved(page: Page, words: string): Promise<void> {
  // While it saves it only says that it is disabled.
  await eventually(async () =>
    expect(await saveButton(page).evaluate((button: { disabled?: boolean }) => button.disabled)).toBe(true),
  );
  await page.reload();
  await page.getByLabel("Description").waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe(words);
}

test("whose session ends while they save signs in again in place, and it is saved", async () => {
  const { page, person, complaints, close } = await whileTyping("typed with care");
  await save(page);
  await signInAgain(page).waitFor();
  // Nothing but signing in, or leaving, ends it: what was typed would be easily lost.
  for (const _ of [1, 2]) await page.keyboard.press("Escape");
  await givePassword(page, "not the password");
  await signInAgain(page).getByText("Incorrect email or password.").waitFor();
  await givePassword(page, person.password);
  await signInAgain(page).waitFor({ state: "detached" });
  expect(await page.getByLabel("Description").inputValue()).toBe("typed with care");
  await expectSaved(page, "typed with care");
  expect(complaints).toEqual([]);
  await close();
});

test("signing in again takes the second factor that the account has", async () => {
  const visit = await newcomer(site);
  const { page, person } = visit;
  const { secret } = await setUpSecondFactor(page);
  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  await page.getByRole("button", { name: "New address" }).click();
  const dialog = page.getByRole("dialog", { name: "New address" });
  const address = dialog.getByLabel("Address", { exact: true });
  await eventually(async () => expect(await address.inputValue()).not.toBe(""));
  const localPart = await address.inputValue();
  await dialog.getByLabel("Description").fill("typed with care");
  await page.context().clearCookies();
  await dialog.getByRole("button", { name: "Create" }).click();
  await givePassword(page, person.password);
  const code = signInAgain(page).getByLabel("Code");
  await code.fill(await codeOf(secret, 1));
  await signInAgain(page).getByRole("button", { name: "Continue" }).click();
  await page.getByText(`${localPart}@postern.localhost created`).waitFor();
  await page.getByText("typed with care").waitFor();
  expect(visit.complaints).toEqual([]);
  await visit.close();
});

test("who signs in elsewhere in the browser meanwhile goes on at once, and somebody else gets nothing of the page", async () => {
  const { page, person, close } = await whileTyping("typed with care");
  await save(page);
  await signInAgain(page).waitFor();
  const elsewhere = await page.context().newPage();
  await signIn(elsewhere, person);
  await page.bringToFront();
  await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
  await signInAgain(page).waitFor({ state: "detached" });
  await expectSaved(page, "typed with care");

  const somebodyElse = await newcomer(site);
  await somebodyElse.close();
  await page.getByLabel("Description").fill("not for others");
  await page.context().clearCookies();
  await save(page);
  await signInAgain(page).waitFor();
  await signIn(elsewhere, somebodyElse.person);
  await page.bringToFront();
  await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
  await page.getByLabel("Description").waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  await close();
});

test("who would rather leave is at the door, and nothing of theirs is left in the page", async () => {
  const { page, proxyAddress, close } = await whileTyping("typed with care");
  await save(page);
  await signInAgain(page).getByRole("button", { name: "Use a different account" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(await page.getByText(proxyAddress).count()).toBe(0);
  await close();
});
