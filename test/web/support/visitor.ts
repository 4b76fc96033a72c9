import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { SharedInstallation } from "../../support/installation/shared-installation.ts";
import { linkTo, type Person } from "./people.ts";

/** Somebody with a browser of their own. */
export interface Visitor {
  readonly page: Page;
  /** The URL of every request that the browser made or tried to make, in turn, whatever became of it. */
  readonly requests: readonly string[];
  /** What the browser complained of: errors of scripts, violations of the content security policy, files that are not there. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

const patienceMs = 60_000;

/** Opens a fresh browser context on a site, with nothing kept of any other. */
export async function visitor(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    locale: "en-GB",
    timezoneId: "Europe/Paris",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  const page = await context.newPage();
  return { page, requests, complaints, close: () => context.close() };
}

/** Signs in by the form. */
export async function signIn(page: Page, { username, password }: Person): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Email address").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
}

/** Creates an account by the form and the link in the mail. */
export async function signUp(page: Page, person: Person, installation: SharedInstallation): Promise<void> {
  await page.goto("/sign-up");
  await giveNewAccount(page, person);
  await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
  await confirmAddress(page, person, installation);
}

/** Fills in the form of the page that one signs up at. */
export async function giveNewAccount(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel("Your email address").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
}

/** Opens the link in the mail, and gives the password there. */
export async function confirmAddress(page: Page, person: Person, installation: SharedInstallation): Promise<void> {
  // At the site that the visitor is at, which may have another name than the link.
  await page.goto(new URL(await linkTo(installation, person.username, "confirm")).pathname);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Confirm and sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
}
