import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../../support/eventually.ts";

/** Creates the address that is suggested, on the list of addresses. @param button what opens the dialog */
export async function makeAddress(page: Page, button = "New address"): Promise<string> {
  await page.getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog", { name: "New address" });
  const suggested = dialog.getByLabel("Address", { exact: true });
  await eventually(async () => expect(await suggested.inputValue()).not.toBe(""));
  const proxyAddress = `${await suggested.inputValue()}@postern.localhost`;
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: proxyAddress }).waitFor();
  return proxyAddress;
}

/** The page of an address, from the list of them. */
export async function openAddress(page: Page, proxyAddress: string): Promise<void> {
  await page.getByRole("link", { name: proxyAddress }).click();
  await page.getByRole("heading", { level: 1, name: proxyAddress }).waitFor();
}

/** A part of an address's page. */
export async function openTab(page: Page, name: "Email" | "Contacts" | "Rules" | "Settings"): Promise<void> {
  await page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name }).click();
}
