import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeOperator, somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signUp } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite();
}, openLimitMs);
afterAll(() => site?.close());

test("an operator finds an account, disables it, enables it, and reads who did it; for others there is no such page", async () => {
  const [operator, owner] = [somebody(), somebody()];
  const visit = await site.visit();
  const other = await site.visit();
  await signUp(visit.page, operator, site.installation);
  await signUp(other.page, owner, site.installation);
  const { page } = visit;
  expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
  await page.goto("/operator");
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();

  await makeOperator(site.installation, operator.username);
  await page.reload();
  await page.getByRole("link", { name: "Operator" }).click();
  await page.getByRole("searchbox", { name: "Search accounts" }).fill(owner.username);
  await page.getByRole("button", { name: `Disable ${owner.username}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable account" }).click();
  await page.getByRole("button", { name: `Enable ${owner.username}` }).waitFor();
  await other.page.reload();
  await other.page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  await page.getByRole("button", { name: `Enable ${owner.username}` }).click();
  await page.getByRole("button", { name: `Disable ${owner.username}` }).waitFor();

  await page.getByRole("radio", { name: "Audit log" }).click();
  await page.getByRole("cell", { name: "Disabled the account" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/operator/actions");
  expect(visit.complaints).toEqual([]);
  await visit.close();
  await other.close();
});
