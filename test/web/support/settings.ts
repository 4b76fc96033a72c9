import type { Page } from "playwright-core";
import { type Person, somebody } from "./people.ts";
import type { Site } from "./site.ts";
import { signUp, type Visitor } from "./visitor.ts";

/** Somebody new, in the settings. */
export async function newcomer(site: Site): Promise<Visitor & { person: Person }> {
  const visit = await site.visit();
  const person = somebody();
  await signUp(visit.page, person, site.installation);
  await openSettings(visit.page);
  return { ...visit, person };
}

export async function openSettings(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  // What is below the list of sessions moves when that comes, maybe from under a click.
  await page.getByText("This device").first().waitFor();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
}

export async function giveCredentials(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel("Email address").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** A part of the settings, by its heading. */
export const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The API token, read to be shown. */
export async function shownToken(page: Page): Promise<string> {
  const token = section(page, "API token");
  await token.getByRole("button", { name: "Show the API token" }).click();
  await token.getByRole("button", { name: "Hide the API token" }).waitFor();
  return (await token.locator(".secret code").textContent()) ?? "";
}
