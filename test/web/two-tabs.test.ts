import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeAddress, openAddress, openTab } from "./support/addresses.ts";
import { newcomer, openSettings, signOut } from "./support/settings.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

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

test("what is typed to sign in or up stays while one looks at another tab", async () => {
  const { page, complaints, close } = await site.visit();
  for (const [path, label] of [
    ["/sign-in", "Email address"],
    ["/sign-up", "Your email address"],
  ] as const) {
    await page.goto(path);
    await page.getByLabel(label).fill("typed with care");
    const isLookedUp = page.waitForResponse((response) => response.url().endsWith("/graphql"));
    await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
    await (await isLookedUp).finished();
    await page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))");
    expect(await page.getByLabel(label).inputValue()).toBe("typed with care");
  }
  expect(complaints.filter((each) => !each.includes("401"))).toEqual([]);
  await close();
});

test("what is changed in one tab is shown in another that is in view", async () => {
  const { page, complaints, close } = await newcomer(site);
  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  const proxyAddress = await makeAddress(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  const toggleIn = (tab: typeof page) => tab.getByRole("switch", { name: proxyAddress });
  await toggleIn(other).and(other.locator("[aria-checked=true]")).waitFor();
  await toggleIn(page).press("Space");
  await toggleIn(other).and(other.locator("[aria-checked=false]")).waitFor();
  const another = await makeAddress(other);
  await page.getByRole("link", { name: another }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("who signs out in one tab is at the door in all of them, and who signs in in one is in all", async () => {
  const { page, person, close } = await newcomer(site);
  const other = await page.context().newPage();
  await other.goto("/");
  await other.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await signOut(page);
  await other.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(await other.getByRole("dialog").count()).toBe(0);
  await signIn(page, person);
  await other.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();

  await openSettings(other);
  await other.getByRole("button", { name: "Delete account" }).click();
  const dialog = other.getByRole("alertdialog", { name: "Delete your account?" });
  await dialog.getByLabel("Your password").fill(person.password);
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await other.getByText("Your account and everything in it").waitFor();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await close();
});
