import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startInstallation } from "../support/installation.ts";
import { launchBrowser } from "./support/browser.ts";
import { type ShownPage, shownPages } from "./support/pages.ts";
import { populate, type Scene } from "./support/scene.ts";
import { signIn, visitor } from "./support/visitor.ts";

// npm run screenshots [-- FOLDER [PAGE…]]: each page, light and dark, on a phone and on a desktop, as PNG files.
const [folder = ".cache/screenshots", ...names] = process.argv.slice(2);
const wanted = shownPages.filter(({ name }) => names.length === 0 || names.includes(name));
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

await mkdir(folder, { recursive: true });
const installation = await startInstallation({ mode: "single" });
try {
  const scene = await populate(installation);
  const browser = await launchBrowser();
  try {
    for (const screen of ["phone", "desktop"] as const)
      for (const colorScheme of ["light", "dark"] as const) await shoot(browser, scene, screen, colorScheme);
  } finally {
    await browser.close();
  }
} finally {
  await installation.dispose();
}
process.stdout.write(`${resolve(folder)}\n`);

async function shoot(browser: Browser, scene: Scene, screen: keyof typeof screens, colorScheme: "light" | "dark") {
  const options = { viewport: screens[screen], colorScheme };
  for (const who of ["stranger", "owner"] as const) {
    const { page, close } = await visitor(browser, installation.url, options);
    if (who === "owner") await signIn(page, installation.account);
    for (const shown of wanted.filter((each) => each.who === who))
      await shootPage(page, scene, shown, join(folder, `${shown.name}-${screen}-${colorScheme}.png`));
    await close();
  }
}

async function shootPage(page: Page, scene: Scene, shown: ShownPage, path: string): Promise<void> {
  await shown.open(page, scene);
  // A dialog covers the window, not the page under it.
  const isDialog = (await page.getByRole("dialog").or(page.getByRole("alertdialog")).count()) > 0;
  await page.screenshot({ path, fullPage: !isDialog });
}
