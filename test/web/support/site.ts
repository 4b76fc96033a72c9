import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { runCommand } from "../../../scripts/peers/command.ts";
import { emptyDatabase } from "../../support/database.ts";
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

/**
 * In one process, over the PostgreSQL of the jest run: neither is the pages' business, and a server of its own for each file is seconds of work.
 * @param environment what its installation is told
 */
export async function openSite(environment: Readonly<Record<string, string>> = {}): Promise<Site> {
  await runCommand(process.execPath, [buildScript], buildLimitMs);
  const [browser, database] = await Promise.all([launchBrowser(), emptyDatabase()]);
  const closeBoth = async () => {
    await browser.close();
    await database.dispose();
  };
  try {
    const told = { DATABASE_URL: database.url, ...environment };
    const installation = await startInstallation({ mode: "single", environment: told });
    return {
      installation,
      browser,
      visit: (options) => visitor(browser, environment["PUBLIC_URL"] ?? installation.url, options),
      close: async () => {
        await installation.dispose();
        await closeBoth();
      },
    };
  } catch (error) {
    await closeBoth();
    throw error;
  }
}
