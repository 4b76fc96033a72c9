import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { admin } from "../support/installation/admin.ts";
import { type Person, somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { confirmAddress, giveNewAccount } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ SIGNUP: "invite", AUTOMATIC_BINDING: "true" });
}, openLimitMs);
afterAll(() => site?.close());

async function tryToSignUp(page: Page, url: string): Promise<Person> {
  const person = somebody();
  await page.goto(url);
  await giveNewAccount(page, person);
  return person;
}

test("where signing up takes an invitation, its link lets one person in, and nobody without it", async () => {
  const { url } = await admin<{ url: string }>(site.installation, "account", "invite");
  const [invited, late] = [await site.visit(), await site.visit()];
  await late.page.goto("/");
  await late.page.getByText("Sign-up is by invitation only.").waitFor();
  expect(await late.page.getByRole("link", { name: "Create account" }).count()).toBe(0);
  await tryToSignUp(late.page, "/sign-up");
  await late.page.getByRole("alert").waitFor();
  const person = await tryToSignUp(invited.page, url);
  await invited.page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
  await confirmAddress(invited.page, person, site.installation);
  await invited.page.getByRole("link", { name: /@postern\.localhost/ }).click();
  await invited.page.getByText("Created at sign-up", { exact: true }).waitFor();
  await tryToSignUp(late.page, url);
  await late.page.getByRole("alert").waitFor();
  expect(await late.page.getByRole("heading", { level: 1 }).textContent()).toBe("Create account");
  expect([...invited.complaints, ...late.complaints]).toEqual([]);
  await late.close();
  await invited.close();
});
