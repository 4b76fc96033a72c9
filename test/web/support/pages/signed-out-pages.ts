import { generate } from "otplib";
import type { Page } from "playwright-core";
import { call } from "../../../support/http/rest-client.ts";
import { linkTo } from "../people.ts";
import type { WebInstallation } from "../web-installation.ts";
import { goTo, type ShownPage } from "./shown-page.ts";

/** What somebody sees who has just signed up, in this order. */
export const newcomersPages: readonly ShownPage[] = [
  {
    name: "first-board",
    open: async (page) => {
      await goTo(page, "/", "Your addresses");
      await page.getByRole("heading", { name: "Start with an address" }).waitFor();
    },
  },
  {
    name: "first-recorder",
    open: async (page) => {
      await goTo(page, "/recorders", "Test endpoints");
      await page.getByText("You have no test endpoints yet.").waitFor();
    },
  },
  {
    name: "first-address",
    open: async (page) => {
      await goTo(page, "/", "Your addresses");
      await page.getByRole("button", { name: "Create your first address" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      await page.getByRole("heading", { name: "Now send it an email" }).waitFor();
    },
  },
  {
    name: "first-inbox",
    open: async (page) => {
      await goTo(page, "/", "Your addresses");
      await page.getByRole("link", { name: /@postern\.localhost$/ }).click();
      await page.getByText("No email yet").waitFor();
    },
  },
  {
    name: "recovery-codes",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
      const factor = page.getByRole("region", { name: "Two-factor authentication" });
      const secret = (await factor.locator(".secret code").textContent()) ?? "";
      await factor.getByRole("textbox", { name: "Code" }).fill(await generate({ secret }));
      await factor.getByRole("button", { name: "Enable" }).click();
      await factor.getByText("Store these somewhere safe").waitFor();
    },
  },
  {
    name: "second-factor-on",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByText("Enabled").waitFor();
    },
  },
  { name: "link-reset-second-factor", open: resetWithSecondFactor },
  { name: "second-step", open: secondStep },
];

async function resetWithSecondFactor(page: Page, { installation }: WebInstallation): Promise<void> {
  await goTo(page, "/settings", "Settings");
  const username = (await page.locator(".header-account").first().textContent()) ?? "";
  const query = `mutation { requestPasswordReset(username: "${username}") { isAccepted } }`;
  await call(`${installation.url}/graphql`, "POST", { query });
  const link = await linkTo(installation, username, "reset");
  await goTo(page, new URL(link).pathname, "Choose a new password");
  await page.getByLabel(/^Code/).waitFor();
}

async function secondStep(page: Page): Promise<void> {
  await goTo(page, "/settings", "Settings");
  const username = (await page.locator(".header-account").first().textContent()) ?? "";
  // On a phone it is under what the bar has no room for.
  const more = page.getByRole("button", { name: "More" });
  if (await more.isVisible()) await more.click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Email address").fill(username);
  await page.getByLabel("Password").fill("four words in a row");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Two-factor authentication" }).waitFor();
}
