import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startInstallation } from "../support/installation/installation.ts";
import { launchBrowser } from "./support/browser.ts";
import { viewers } from "./support/pages/all.ts";
import type { ShownPage } from "./support/pages/shown-page.ts";
import { somebody } from "./support/people.ts";
import { visitor } from "./support/visitor.ts";
import { populate, type WebInstallation, webEnvironment } from "./support/web-installation.ts";

// npm run screenshots [-- FOLDER [PAGE…]]: each page, light and dark, on a phone and on a desktop, as PNG files.
const [folder = ".cache/screenshots", ...names] = process.argv.slice(2);
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

await mkdir(folder, { recursive: true });
const environment = await webEnvironment();
const installation = await startInstallation({ mode: "single", environment });
try {
  const web = await populate(installation);
  const browser = await launchBrowser();
  try {
    for (const screen of ["phone", "desktop"] as const)
      for (const colorScheme of ["light", "dark"] as const) await shoot(browser, web, screen, colorScheme);
  } finally {
    await browser.close();
  }
} finally {
  await installation.dispose();
}
process.stdout.write(`${resolve(folder)}\n`);

async function shoot(
  browser: Browser,
  web: WebInstallation,
  screen: keyof typeof screens,
  colorScheme: "light" | "dark",
) {
  const options = { viewport: screens[screen], colorScheme };
  for (const { pages, enter } of Object.values(viewers)) {
    const wanted = pages.filter(({ name }) => names.length === 0 || names.includes(name));
    if (wanted.length === 0) continue;
    const { page, close } = await visitor(browser, environment["PUBLIC_URL"] ?? "", options);
    await enter(page, installation, somebody());
    for (const shown of wanted)
      await shootPage(page, web, shown, join(folder, `${shown.name}-${screen}-${colorScheme}.png`));
    await close();
  }
}

async function shootPage(page: Page, web: WebInstallation, shown: ShownPage, path: string): Promise<void> {
  await shown.open(page, web);
  // A dialog covers the window, not the page under it.
  const isDialog = (await page.getByRole("dialog").or(page.getByRole("alertdialog")).count()) > 0;
  await page.screenshot({ path, fullPage: !isDialog });
}
