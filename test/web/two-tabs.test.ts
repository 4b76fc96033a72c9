import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeAddress, openAddress, openTab } from "./support/addresses.ts";
import { newcomer } from "./support/settings.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await openSharedSite();
}, openLimitMs);
afterAll(() => site?.close());

test("what was removed in another tab is said so in words, and what was typed stays", async () => {
  const { page, complaints, close } = await newcomer(site);
  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  await openAddress(page, await makeAddress(page));
  await openTab(page, "Settings");
  await page.getByLabel("Description").fill("typed with care");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Remove this address" }).click();
  await other.getByRole("alertdialog").getByRole("button", { name: "Remove address" }).click();
  await other.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  const form = page.locator("form", { has: page.getByLabel("Description") });
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByRole("alert").filter({ hasText: "It may have been removed in another window" }).waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe("typed with care");
  expect(complaints).toEqual([]);
  await close();
});
