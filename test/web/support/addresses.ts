import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../../support/eventually.ts";
import { makeBinding } from "../../support/http/rest-bindings.ts";
import type { SharedInstallation } from "../../support/installation/shared-installation.ts";
import { asSuperuser } from "../../support/peers/database.ts";
import type { Site } from "./site.ts";
import { signIn, type Visitor } from "./visitor.ts";

const phone = { viewport: { width: 390, height: 844 } };

/** The bootstrap account's owner, at the list of addresses. */
export async function onTheBoard(site: Site, isPhone = false): Promise<Visitor> {
  const visit = await site.visit(isPhone ? phone : {});
  await signIn(visit.page, site.installation.account);
  return visit;
}

export const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ hasText: `${name}@postern.localhost` });

/** The local parts that the list shows. */
export async function shownNames(page: Page): Promise<(string | undefined)[]> {
  return (await page.getByRole("rowheader").getByRole("link").allTextContents()).map((text) => text.split("@")[0]);
}

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

/** Of which address a list is, found among all by typing. */
export async function chooseAddress(page: Page, proxyAddress: string): Promise<void> {
  await page.getByRole("button", { name: /^Address:/ }).click();
  const dialog = page.getByRole("dialog", { name: "Choose an address" });
  await dialog.getByRole("searchbox").fill(proxyAddress);
  await dialog.getByRole("menuitem", { name: proxyAddress }).click();
  await page.getByRole("button", { name: `Address: ${proxyAddress}` }).waitFor();
}

/** Made after a thousand others. */
export const lateNames = ["alpha", "bravo", "charlie"];

/** A thousand addresses, and three after them. */
export async function makeManyAddresses(installation: SharedInstallation): Promise<void> {
  const rest = await installation.rest();
  const { id } = await makeBinding(rest, { real_addresses: [installation.account.username] });
  await asSuperuser(await installation.databaseUrl(), manyAddresses(id));
  for (const name of lateNames) {
    await makeBinding(rest, {
      proxy_address: `${name}@postern.localhost`,
      real_addresses: [installation.account.username],
      // No generated address has two consonants side by side, so that a search for it finds these alone.
      description: `letter ${name}`,
    });
  }
}

/** A thousand more of the same, each with its target. */
const manyAddresses = (id: string) => `
  with made as (
    insert into bindings.binding (id, owner_id, proxy_address, proxy_address_key, is_automatic, created_at, updated_at, description, callback_url, is_browsable)
    select ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, owner_id, 'many-' || number || '@postern.localhost',
           'many-' || number || '@postern.localhost', false, now(), now(), 'number ' || number, '', true
      from bindings.binding, generate_series(1, 1000) as number where id = '${id}'
    returning id)
  insert into bindings.real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
  select gen_random_uuid(), made.id, owner_id, address, address_key, is_enabled, is_internal, verified_at
    from made, bindings.real_address where binding_id = '${id}'`;
