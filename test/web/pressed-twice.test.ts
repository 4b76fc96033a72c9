import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { makeAddress, openAddress, openTab } from "./support/addresses.ts";
import { newcomer, section } from "./support/settings.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await openSharedSite();
}, openLimitMs);
afterAll(() => site?.close());

/** The names of the changes that the page sends from here on. */
function changesOf(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/graphql")) return;
    const { operationName, query } = request.postDataJSON() as { operationName: string; query?: string };
    // With its text it is the same once more, for a server that did not know its hash.
    if (query === undefined && /^(?:Create|Update)/.test(operationName)) names.push(operationName);
  });
  return names;
}

/** As a hand does it that takes every button for an icon on the desktop: at once, or slowly enough for an answer to come between. */
const hands = [{ delay: 0 }, { delay: 100 }];

test.each(hands)("who presses the button of a form twice, within %p ms, sends it once", async (hand) => {
  const { page, complaints, close } = await newcomer(site);
  const changes = changesOf(page);
  const keys = section(page, "API keys");
  await keys.getByRole("button", { name: "Create API key" }).click();
  await keys.getByLabel("Name").fill("Password manager");
  await keys.getByRole("button", { name: "Create API key" }).dblclick(hand);
  await keys.getByRole("listitem").filter({ hasText: "Password manager" }).first().waitFor();

  await page.getByRole("link", { name: "Rules", exact: true }).click();
  await page.getByRole("button", { name: "New rule" }).click();
  const dialog = page.getByRole("dialog", { name: "New rule" });
  await dialog.getByRole("textbox", { name: "From" }).fill("loud.example");
  await dialog.getByRole("button", { name: "Save" }).dblclick(hand);
  await page.getByText("Not applied yet").first().waitFor();

  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  await openAddress(page, await makeAddress(page));
  await openTab(page, "Settings");
  await page.getByLabel("Forward to another address").fill("partner@example.net");
  await page.getByRole("button", { name: "Add", exact: true }).dblclick(hand);
  await page.getByText("Not verified yet").waitFor();
  await page.waitForLoadState("networkidle");

  expect(changes).toEqual(["CreateApiKey", "CreateRule", "CreateProxyBinding", "UpdateProxyBinding"]);
  // What was done is not followed by a complaint that the field is empty.
  await page.getByText("Confirmation link sent.").waitFor();
  expect(await page.locator(".field-error").allTextContents()).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
