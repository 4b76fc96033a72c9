import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { linkTo, somebody } from "./support/people.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";
import { giveNewAccount } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSharedSite();
}, openLimitMs);
afterAll(() => site?.close());

test("who gave a wrong password first gets back to a page, and is not asked to send the form again", async () => {
  const { page, complaints, close } = await site.visit();
  const person = somebody();
  await page.goto("/sign-up");
  await giveNewAccount(page, person);
  await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
  await page.goto(new URL(await linkTo(site.installation, person.username, "confirm")).pathname);
  const confirm = async (password: string) => {
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Confirm and sign in" }).click();
  };
  await confirm("not the password");
  const complaint = page.getByRole("alert").filter({ hasText: "not the password that was chosen" });
  await complaint.waitFor();
  // It is said once: whoever loads the page again has not tried again.
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Confirm your address" }).waitFor();
  expect(await complaint.count()).toBe(0);

  await confirm("not the password");
  await complaint.waitFor();
  await confirm(person.password);
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await page.goBack();
  await eventually(async () =>
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("This link does not work"),
  );
  expect(complaints.filter((each) => !each.includes("404"))).toEqual([]);
  await close();
});
