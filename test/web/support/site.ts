import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { runCommand } from "../../../scripts/peers/command.ts";
import { startInstallation } from "../../support/installation/installation.ts";
import { type SharedInstallation, sharedInstallation } from "../../support/installation/shared-installation.ts";
import { launchBrowser } from "./browser.ts";
import { type Visitor, visitor } from "./visitor.ts";

/** An installation with the web application on it, and a browser to look at it with. */
export interface Site {
  readonly installation: SharedInstallation;
  readonly browser: Browser;
  /** Somebody with a fresh browser of their own. */
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/** How long a test file may take to open its site, the build and the installation of Chromium included. */
export const openLimitMs = 400_000;

const buildLimitMs = 120_000;
const buildScript = join(import.meta.dirname, "../../../scripts/build-web.ts");

/** @param environment what its installation is told, which is one process */
export function openSite(environment: Readonly<Record<string, string>> = {}): Promise<Site> {
  return open(() => startInstallation({ mode: "single", environment }), environment["PUBLIC_URL"]);
}

/** On an installation of several test files at a time: each of its visitors signs up, or looks at an address of its own. */
export function openSharedSite(): Promise<Site> {
  return open(async () => ({ ...(await sharedInstallation({})), dispose: async () => undefined }));
}

async function open(
  installed: () => Promise<SharedInstallation & { dispose(): Promise<void> }>,
  publicUrl?: string,
): Promise<Site> {
  await runCommand(process.execPath, [buildScript], buildLimitMs);
  const browser = await launchBrowser();
  try {
    const installation = await installed();
    return {
      installation,
      browser,
      visit: (options) => visitor(browser, publicUrl ?? installation.url, options),
      close: async () => {
        await installation.dispose();
        await browser.close();
      },
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
