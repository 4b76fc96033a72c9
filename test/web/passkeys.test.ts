import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { letProofsAge, somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signUp } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  // A passkey belongs to a name.
  site = await openSite({ HTTP_PORT: String(port), PUBLIC_URL: `http://localhost:${port}` });
}, openLimitMs);
afterAll(() => site?.close());

/** A device that keeps passkeys, and has its user's finger on it. */
async function plugIn(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const section = (page: Page) => page.getByRole("region", { name: "Passkeys" });

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
}

test("a passkey is added, named, used to sign in, and removed", async () => {
  const { page, complaints, close } = await site.visit();
  const person = somebody();
  await plugIn(page);
  await page.goto("/");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("there is none for this site here").waitFor();

  await signUp(page, person, site.installation);
  await page.getByRole("link", { name: "Settings" }).click();
  await section(page).getByRole("button", { name: "Add a passkey" }).click();
  await section(page).getByRole("textbox", { name: "Name" }).fill("My phone");
  await letProofsAge(site.installation, person.username);
  await section(page).getByRole("button", { name: "Continue" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByLabel("Your password").fill(person.password);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await section(page).getByText("not used yet").waitFor();
  await page
    .locator(":focus")
    .and(section(page).getByRole("heading", { name: "Passkeys" }))
    .waitFor();
  expect(await section(page).getByRole("listitem").textContent()).toContain("My phone");
  await section(page).getByRole("button", { name: "Rename My phone" }).click();
  await section(page).getByRole("textbox", { name: "Name" }).fill("My old phone");
  await section(page).getByRole("button", { name: "Save" }).click();
  await page
    .locator(":focus")
    .and(section(page).getByRole("button", { name: "Rename My old phone" }))
    .waitFor();

  // The device has one of this account already.
  await section(page).getByRole("button", { name: "Add a passkey" }).click();
  await section(page).getByRole("textbox", { name: "Name" }).fill("Once more");
  await section(page).getByRole("button", { name: "Continue" }).click();
  await section(page).getByText("already has a passkey for this account").waitFor();
  await section(page).getByRole("button", { name: "Cancel" }).click();

  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  expect(await page.getByText(person.username).count()).toBeGreaterThan(0);
  await page.goto("/settings");
  await section(page).getByText("last used").waitFor();

  // The session ends while the passkey is given another name.
  await section(page).getByRole("button", { name: "Rename My old phone" }).click();
  await section(page).getByRole("textbox", { name: "Name" }).fill("My oldest phone");
  await page.context().clearCookies();
  await section(page).getByRole("button", { name: "Save" }).click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByRole("button", { name: "Sign in with a passkey" }).click();
  await section(page).getByRole("button", { name: "Rename My oldest phone" }).waitFor();

  // The passkey itself proves who sits here.
  await letProofsAge(site.installation, person.username);
  await section(page).getByRole("button", { name: "Remove My oldest phone" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await proof.getByRole("button", { name: "Use a passkey" }).click();
  await section(page).getByRole("listitem").waitFor({ state: "detached" });
  await page
    .locator(":focus")
    .and(section(page).getByRole("heading", { name: "Passkeys" }))
    .waitFor();
  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Sign in");
  expect(complaints).toEqual([]);
  await close();
});

test("at an IP address, where no browser has passkeys, none is offered and it is said why", async () => {
  const { page, complaints, close } = await site.visit({ baseURL: site.installation.url });
  await page.goto("/");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
  await signUp(page, somebody(), site.installation);
  await page.getByRole("link", { name: "Settings" }).click();
  await section(page).getByText("Passkeys need a browser that supports them").waitFor();
  expect(await section(page).getByRole("button").count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
