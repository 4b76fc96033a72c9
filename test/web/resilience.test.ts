import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { onTheBoard } from "./support/addresses.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";

let site: Site;
let proxyAddress: string;

beforeAll(async () => {
  site = await openSite();
  const made = { real_addresses: [site.installation.account.username] };
  ({ proxyAddress } = await makeBinding(await site.installation.rest(), made));
}, openLimitMs);
afterAll(() => site?.close());

const openSettings = (page: Page) => page.getByRole("link", { name: "Settings" }).click();

test("offline is said at once; what is done then was not done, and the switch shows it", async () => {
  const { page, close } = await onTheBoard(site);
  const toggle = page.getByRole("switch", { name: `Forward email of ${proxyAddress}` });
  await toggle.waitFor();
  await page.context().setOffline(true);
  await page.getByText("You're offline.", { exact: true }).waitFor();
  await toggle.press("Space");
  await page.getByText("You're offline, so this wasn't done.").waitFor();
  expect(await toggle.isChecked()).toBe(true);
  await page.context().setOffline(false);
  await page.getByText("You're offline.", { exact: true }).waitFor({ state: "detached" });
  await close();
});

test("a panel that could not be loaded says so, can be tried again, and recovers by itself", async () => {
  const { page, close } = await onTheBoard(site);
  let isDown = true;
  let answers = true;
  await page.route("**/graphql", async (route) => {
    const { operationName } = route.request().postDataJSON() as { operationName: string };
    if (!isDown || operationName !== "Recorders") await route.continue();
    else if (answers) await route.fulfill({ status: 503, body: "<html>no backend</html>" });
    else await route.abort();
  });
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: "Test endpoints" }).click();
  const fault = page.getByRole("alert");
  await fault.getByText("The server has a problem right now. Please try again in a moment.").waitFor();
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("You have no test endpoints yet.").waitFor();
  expect(await fault.count()).toBe(0);

  isDown = true;
  answers = false;
  await page.reload();
  await fault.getByText("We couldn't reach the server. Check your connection and try again.").waitFor();
  isDown = false;
  // Nobody presses anything.
  await page.getByText("You have no test endpoints yet.").waitFor();
  await close();
});

test("a page's file that is gone after a release loads the application again, once", async () => {
  const { page, close } = await onTheBoard(site);
  let missing = 1;
  let asked = 0;
  await page.route("**/assets/settings-page-*.js", async (route) => {
    asked += 1;
    if (missing > 0) {
      missing -= 1;
      await route.fulfill({ status: 404, body: "" });
    } else await route.continue();
  });
  await openSettings(page);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  expect(asked).toBe(2);
  await close();
});

test("a page's file that is missing for good leaves the navigation, and says what happened", async () => {
  const { page, close } = await onTheBoard(site);
  let asked = 0;
  await page.route("**/assets/settings-page-*.js", async (route) => {
    asked += 1;
    await route.fulfill({ status: 404, body: "" });
  });
  await openSettings(page);
  await page.getByRole("heading", { level: 1, name: "This page stopped working" }).waitFor();
  await eventually(() => expect(asked).toBe(2));
  await page.getByRole("button", { name: "Reload the page" }).waitFor();
  await page.getByRole("link", { name: "Addresses" }).click();
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await close();
});

test("a page opened for the first time while offline says so, and opens by a press or by itself once the network is back", async () => {
  const { page, close } = await onTheBoard(site);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Domains" }).click();
  await page.getByRole("heading", { level: 1, name: "You're offline" }).waitFor();
  await page.evaluate("window.isTheSamePage = true");
  const again = page.getByRole("button", { name: "Try again" });
  await again.click();
  await again.waitFor();
  // Another page, and back to the one that did not come.
  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await page.getByRole("link", { name: "Domains" }).click();
  await again.waitFor();
  await page.context().setOffline(false);
  await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();

  // The browser takes its network for there, and the server is away; then it answers, and not with what was asked for.
  const isNeeded = ({ pathname }: URL) => pathname === "/" || pathname.includes("/rules-page-");
  await page.route(isNeeded, (route) => route.abort());
  await page.getByRole("link", { name: "Rules" }).click();
  await page.getByRole("heading", { level: 1, name: "We couldn't reach the server" }).waitFor();
  await page.route(isNeeded, (route) => route.fulfill({ status: 502, body: "no backend" }));
  await again.click();
  await page.getByRole("heading", { level: 1, name: "The server has a problem" }).waitFor();
  await page.unrouteAll();
  await again.click();
  await page.getByRole("heading", { level: 1, name: "Rules" }).waitFor();
  expect(await page.evaluate("window.isTheSamePage")).toBe(true);
  await close();
});

test("the palette opened for the first time while offline says so, and opens once the network is back", async () => {
  const { page, close } = await onTheBoard(site);
  await page.context().setOffline(true);
  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  await palette.getByText("You're offline, so this wasn't done.").waitFor();
  await page.context().setOffline(false);
  await palette.getByRole("button", { name: "Try again" }).click();
  await palette.getByRole("menuitem", { name: "Domains" }).waitFor();
  await close();
});

test("an address that nobody may have is said at its field, and what was typed stays", async () => {
  const { page, close } = await onTheBoard(site);
  for (const action of ["made", "refused"] as const) {
    await page.getByRole("button", { name: "New address" }).click();
    const dialog = page.getByRole("dialog", { name: "New address" });
    const address = dialog.getByLabel("Address", { exact: true });
    // The local part is enough: the domain stands behind it.
    await dialog.getByText("@postern.localhost").waitFor();
    await address.fill(action === "made" ? "tea-shop" : "postmaster");
    await dialog.getByRole("button", { name: "Create" }).click();
    if (action === "made") {
      await page.getByRole("link", { name: "tea-shop@postern.localhost" }).waitFor();
      continue;
    }
    await dialog
      .getByText("The part before the @ is reserved, or looks like a reserved one.", { exact: true })
      .waitFor();
    expect(await address.getAttribute("aria-invalid")).toBe("true");
    expect(await address.inputValue()).toBe("postmaster");
  }
  await close();
});

test("an address that one has already is said at its field with a link to it, and what was typed stays", async () => {
  const { page, close } = await onTheBoard(site);
  await page.getByRole("button", { name: "New address" }).click();
  const dialog = page.getByRole("dialog", { name: "New address" });
  const address = dialog.getByLabel("Address", { exact: true });
  await dialog.getByText("@postern.localhost").waitFor();
  await address.fill(proxyAddress);
  await dialog.getByLabel("Description").fill("typed with care");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("You have this address already.").waitFor();
  expect(await page.getByText(/created/).count()).toBe(0);
  expect(await address.getAttribute("aria-invalid")).toBe("true");
  expect(await address.inputValue()).toBe(proxyAddress);
  expect(await dialog.getByLabel("Description").inputValue()).toBe("typed with care");
  await dialog.getByRole("link", { name: "Open it" }).click();
  await page.getByRole("heading", { level: 1, name: proxyAddress }).waitFor();
  await dialog.waitFor({ state: "detached" });
  await close();
});

test("on a slow network a page says that it loads, and what is pressed again meanwhile is done once", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const bytesPerSecond = 50_000;
  const slow = { offline: false, latency: 1_500, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
  await network.send("Network.emulateNetworkConditions", slow);
  await page.getByRole("link", { name: "Inbox", exact: true }).click();
  await page.getByRole("status").filter({ hasText: "Loading" }).first().waitFor();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await page.getByRole("link", { name: "Addresses", exact: true }).click();
  await page.getByRole("button", { name: "New address" }).click();
  const dialog = page.getByRole("dialog", { name: "New address" });
  await dialog.getByLabel("Address", { exact: true }).fill("pressed-twice");
  // Where the local part alone would be no address, nothing is sent.
  await dialog.getByRole("button", { name: "Create" }).press("Enter");
  await dialog.getByText("@postern.localhost").waitFor();
  await dialog.getByRole("button", { name: "Create" }).dblclick();
  await page.getByRole("link", { name: "pressed-twice@postern.localhost" }).waitFor();
  await page.getByText("pressed-twice@postern.localhost created").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("a browser that asks for German gets German, and English where that is chosen", async () => {
  const { page, complaints, close } = await site.visit({ locale: "de-DE" });
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Anmelden" }).waitFor();
  const { username, password } = site.installation.account;
  await page.getByLabel("E-Mail-Adresse").fill(username);
  await page.getByLabel("Passwort").fill("not the password");
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await page.getByText("E-Mail-Adresse oder Passwort ist falsch.").waitFor();
  await page.getByLabel("Passwort").fill(password);
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Ihre Adressen" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await page.getByRole("link", { name: "Einstellungen" }).click();
  await page.getByLabel("Aktuelles Passwort").fill("not the password");
  await page.getByLabel("Neues Passwort").fill("four other words there");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  await page.getByText("Das ist nicht das Passwort des Kontos.").waitFor();
  await page.getByRole("link", { name: "Adressen", exact: true }).click();
  await page.getByRole("button", { name: "Neue Adresse" }).click();
  const dialog = page.getByRole("dialog", { name: "Neue Adresse" });
  await dialog.getByText("@postern.localhost").waitFor();
  await dialog.getByLabel("Adresse", { exact: true }).fill("postmaster");
  await dialog.getByRole("button", { name: "Erstellen" }).click();
  await page
    .getByText("Der Teil vor dem @ ist reserviert oder sieht einem reservierten ähnlich.", { exact: true })
    .waitFor();
  await page.getByRole("button", { name: "Abbrechen" }).click();
  await page.getByRole("link", { name: "Einstellungen" }).click();
  await page.getByRole("link", { name: "Adressen importieren" }).click();
  const buffer = Buffer.from("alias,note\nno address,\n");
  await page.getByLabel("Datei", { exact: true }).setInputFiles({ name: "sl.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Datei prüfen" }).click();
  await page.getByText("Das ist keine E-Mail-Adresse: Das @ fehlt.").waitFor();
  await page.getByRole("link", { name: "Einstellungen" }).first().click();
  await page.getByRole("combobox", { name: "Sprache" }).selectOption("English");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  expect(complaints.filter((each) => !/401/.test(each))).toEqual([]);
  await close();
});
