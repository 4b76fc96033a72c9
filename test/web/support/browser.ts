import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";
import { hasCommand } from "../../../scripts/peers/command.ts";
import { provideDebianPackages } from "../../../scripts/peers/debian-package.ts";

/** No sandbox: containers have no user namespaces to make one of, and the pages are our own. The rest keeps it quiet. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The system's Chromium, installed from the system's packages if it is not there.
 * @throws Error saying what is missing and how to get it
 */
export async function launchBrowser(): Promise<Browser> {
  await provideDebianPackages(["chromium"], () => hasCommand("chromium", ["--version"]));
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  return chromium.launch({ executablePath, headless: true, args: flags });
}
