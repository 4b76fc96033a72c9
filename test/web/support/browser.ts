import { type Browser, chromium } from "playwright-core";
import { hasCommand, runCommand } from "../../../scripts/peers/command.ts";
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

const lookLimitMs = 10_000;

/** What systems call it. */
const names = ["chromium", "chromium-browser", "google-chrome"];

/** The system's Chromium. @throws as chromiumPath */
export async function launchBrowser(): Promise<Browser> {
  // In a locale that has no UTF-8 it calls what it downloads under any other name "download".
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  return chromium.launch({ executablePath: await chromiumPath(), headless: true, args: flags, env });
}

/**
 * Where the system's Chromium is, installed from Debian's packages if there is none.
 * @throws Error saying what is missing and how to get it
 */
export async function chromiumPath(): Promise<string> {
  let found: string | undefined;
  await provideDebianPackages(["chromium"], async () => {
    found = await systemChromium();
    return found !== undefined;
  });
  return found ?? "";
}

/** Its path, if it can be run. */
async function systemChromium(): Promise<string | undefined> {
  for (const name of names)
    if (await hasCommand(name, ["--version"]))
      return (await runCommand("sh", ["-c", `command -v ${name}`], lookLimitMs)).trim();
  return undefined;
}
