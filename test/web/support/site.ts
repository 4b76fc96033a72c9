import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { runCommand } from "../../../scripts/peers/command.ts";
import { type Installation, startInstallation } from "../../support/installation.ts";
import { launchBrowser } from "./browser.ts";
import { type Visitor, visitor } from "./visitor.ts";

/** An installation with the web application on it, and a browser to look at it with. */
export interface Site {
  readonly installation: Installation;
  readonly browser: Browser;
  /** Somebody with a fresh browser of their own. */
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/** How long a test file may take to open its site, the build and the installation of Chromium included. */
export const openLimitMs = 400_000;

const buildLimitMs = 120_000;
const buildScript = join(import.meta.dirname, "../../../scripts/build-web.ts");

/** In one process: how many there are is not the pages' business. @param environment what its installation is told */
export async function openSite(environment: Readonly<Record<string, string>> = {}): Promise<Site> {
  await runCommand(process.execPath, [buildScript], buildLimitMs);
  const browser = await launchBrowser();
  try {
    const installation = await startInstallation({ mode: "single", environment });
    return {
      installation,
      browser,
      visit: (options) => visitor(browser, environment["PUBLIC_URL"] ?? installation.url, options),
      close: async () => {
        await browser.close();
        await installation.dispose();
      },
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
