import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { onTheBoard } from "./support/addresses.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await makeBinding(await site.installation.rest(), {
    proxy_address: "palette@postern.localhost",
    real_addresses: [site.installation.account.username],
    description: "The tea shop",
  });
}, openLimitMs);
afterAll(() => site?.close());

test("the navigation leads to every place, and marks the one where one is", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  const navigation = page.getByRole("navigation", { name: "Main" });
  for (const name of ["Inbox", "Failures", "Domains", "Rules", "Webhooks", "Settings", "Addresses"]) {
    await navigation.getByRole("link", { name }).click();
    await navigation.locator("[aria-current=page]").getByText(name).waitFor();
    expect(await navigation.locator("[aria-current=page]").count()).toBe(1);
  }
  expect(complaints).toEqual([]);
  await close();
});

test("on a phone the places of every day are below, and the others under More", async () => {
  const { page, complaints, close } = await onTheBoard(site, true);
  const navigation = page.getByRole("navigation", { name: "Main" });
  expect(await navigation.getByRole("link", { name: "Domains" }).isVisible()).toBe(false);
  await navigation.getByRole("button", { name: "More" }).click();
  await page.getByRole("dialog", { name: "More" }).getByRole("link", { name: "Domains" }).click();
  await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await navigation.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

/** The palette's dialog, whose file comes once it is let. */
async function openPaletteBeforeItsFile(page: Page) {
  const { promise: isToCome, resolve: letCome } = Promise.withResolvers<void>();
  await page.route(/\/palette-[^/]+\.js/, async (route) => {
    await isToCome;
    await route.continue();
  });
  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  await palette.getByText("Loading…").waitFor();
  return { palette, letCome };
}

test("what is typed before the palette's file has come is looked for once it has", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  const { palette, letCome } = await openPaletteBeforeItsFile(page);
  await page.keyboard.type("dom");
  letCome();
  await palette.getByRole("menuitem", { name: "Domains" }).waitFor();
  expect(await palette.getByRole("menuitem").count()).toBe(1);
  await page.keyboard.type("ains");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("one types on while the palette takes the place of what stands there until it has come", async () => {
  const { page, close } = await onTheBoard(site);
  const { palette, letCome } = await openPaletteBeforeItsFile(page);
  // A key pressed between two changes of the page goes to what has the focus there.
  await page.evaluate(`
    window.focused = new Set();
    const note = () => window.focused.add(document.activeElement.localName);
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
  `);
  letCome();
  await palette.getByRole("menuitem", { name: "Domains" }).waitFor();
  expect(await page.evaluate("[...window.focused]")).toEqual(["input"]);
  await close();
});

test("Ctrl K finds places, commands and addresses by typing", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  await palette.getByRole("menuitem", { name: "Domains" }).waitFor();
  await page.keyboard.type("dom");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
  await palette.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Search or jump to" }).click();
  await page.keyboard.type("tea shop");
  await palette.getByRole("menuitem", { name: /^palette@postern\.localhost/ }).click();
  await page.getByRole("heading", { level: 1, name: "palette@postern.localhost" }).waitFor();

  await page.keyboard.press("Control+K");
  await page.keyboard.type("no such thing");
  await palette.getByText("Nothing matches.").waitFor();
  // The first clears what was typed.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });

  // From where one types as well.
  await page.goto(site.installation.url);
  await page.getByRole("searchbox").fill("no");
  await page.keyboard.press("Control+K");
  await palette.waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("letters lead to places, not while one types, and can be switched off", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await page.keyboard.type("gs");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.keyboard.type("ga");
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await page.keyboard.press("/");
  await eventually(async () => expect(await page.evaluate("document.activeElement.type")).toBe("search"));
  await page.keyboard.type("gs");
  expect(await page.getByRole("searchbox").inputValue()).toBe("gs");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New address" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "New address" }).waitFor({ state: "detached" });
  await page.keyboard.press("Shift+?");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await shortcuts.getByText("Single letters are shortcuts").click();
  await page.keyboard.press("Escape");
  await page.keyboard.type("gs");
  await page.keyboard.press("Control+K");
  await page.getByRole("dialog", { name: "Search or jump to" }).waitFor();
  expect(await page.getByRole("heading", { level: 1, name: "Your addresses", includeHidden: true }).count()).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});

test("there are icons for every device, a manifest, and the way to change the password", async () => {
  const { url } = site.installation;
  const manifest = (await (await fetch(`${url}/manifest.webmanifest`)).json()) as { icons: { src: string }[] };
  const icons = ["/favicon.ico", "/apple-touch-icon.png", ...manifest.icons.map(({ src }) => src)];
  for (const icon of icons) {
    const { status, headers } = await fetch(url + icon);
    expect({ icon, status }).toEqual({ icon, status: 200 });
    expect(headers.get("content-type")).toMatch(/^image\//);
  }
  const answer = await fetch(`${url}/.well-known/change-password`, { redirect: "manual" });
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe("/settings#password");
});
