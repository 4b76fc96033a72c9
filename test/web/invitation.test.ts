import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { admin } from "../support/admin.ts";
import { somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ SIGNUP: "invite" });
}, openLimitMs);
afterAll(() => site?.close());

async function tryToSignUp(page: Page, url: string): Promise<void> {
  const { username, password } = somebody();
  await page.goto(url);
  await page.getByLabel("Your email address").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Make the account" }).click();
}

test("where signing up takes an invitation, its link lets one person in, and nobody without it", async () => {
  const { url } = await admin<{ url: string }>(site.installation, "account", "invite");
  const [invited, late] = [await site.visit(), await site.visit()];
  await late.page.goto("/");
  await late.page.getByText("An account takes an invitation").waitFor();
  expect(await late.page.getByRole("link", { name: "Make an account" }).count()).toBe(0);
  await tryToSignUp(late.page, "/sign-up");
  await late.page.getByRole("alert").waitFor();
  await tryToSignUp(invited.page, url);
  await invited.page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await tryToSignUp(late.page, url);
  await late.page.getByRole("alert").waitFor();
  expect(await late.page.getByRole("heading", { level: 1 }).textContent()).toBe("Make an account");
  expect([...invited.complaints, ...late.complaints]).toEqual([]);
  await late.close();
  await invited.close();
});
