import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { authContract } from "./auth/contract.ts";
import { type Environment, loadConfig } from "./platform/config.ts";
import { unusableDataDir } from "./platform/errors.ts";
import { exists, makeFolder } from "./platform/files.ts";
import { requirePorts } from "./platform/net/listen.ts";
import type { Client } from "./platform/rpc/contract.ts";
import type { Host } from "./platform/runtime/host.ts";
import { settingsConfig } from "./platform/runtime/settings.ts";

/** The account that a fresh DATA_DIR gets when none was asked for, as the variables that auth reads. */
interface FirstAccount {
  BOOTSTRAP_USER: string;
  BOOTSTRAP_PASSWORD: string;
}

/** What is to be said of an installation: its settings, and SMTP_PORT and OUTBOUND as its services read them. */
type Installed = Pick<Host, "settings" | "config">;

type Auth = Client<typeof authContract>;

/** Under DATA_DIR from before its account is made until it has been told: a start that fails in between must not keep the password to itself. */
const untoldFile = "first-account-untold";

/** Says before anything is made that a port is in use. @throws ConfigurationError */
export function requirePublicPorts({ HTTP_PORT, SMTP_PORT }: Host["config"]): Promise<void> {
  return requirePorts({ HTTP_PORT: Number(HTTP_PORT), SMTP_PORT: Number(SMTP_PORT) });
}

/** Makes up an account if nothing is kept yet and nobody named one, or if none was ever told; undefined otherwise. */
export async function firstAccount(environment: Environment): Promise<FirstAccount | undefined> {
  // Whether DATABASE_URL is one, and what is missing beside BOOTSTRAP_PASSWORD, is said with all other faults.
  const { DATABASE_URL, BOOTSTRAP_USER, BOOTSTRAP_PASSWORD } = environment;
  if (DATABASE_URL || BOOTSTRAP_USER || BOOTSTRAP_PASSWORD) return undefined;
  const { DATA_DIR } = loadConfig({ DATA_DIR: settingsConfig.DATA_DIR }, environment);
  const isUntold = await exists(join(DATA_DIR, untoldFile));
  if (!isUntold && (await exists(join(DATA_DIR, "postgres")))) return undefined;
  return { BOOTSTRAP_USER: "you@example.org", BOOTSTRAP_PASSWORD: randomBytes(12).toString("base64url") };
}

/** To be called before that account is made, and not before its variables are known to be right: a backup is restored into an empty DATA_DIR alone. */
export async function noteUntold(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    await writeFile(join(dataDir, untoldFile), "");
  } catch (error) {
    throw unusableDataDir(error);
  }
}

/** Says on standard output where everything is and, when an account was just made, what to try with it. */
export async function welcome(
  { settings, config }: Installed,
  first?: { account: FirstAccount; auth: Auth },
): Promise<void> {
  const smtpPort = String(config["SMTP_PORT"]);
  const outbound = resolve(settings.DATA_DIR, "outbound");
  const lines = [
    "",
    "Postern is ready.",
    "",
    `  In a browser   ${settings.PUBLIC_URL}/`,
    `  API            ${settings.PUBLIC_URL}/api/v1      (to read and try: ${settings.PUBLIC_URL}/docs/api)`,
    `  Mail comes in  127.0.0.1:${smtpPort}, for addresses at ${settings.SERVICE_DOMAIN}`,
    `  Mail goes out  ${config["OUTBOUND"] === "capture" ? `as files under ${outbound}` : "to the Internet, or the relay that OUTBOUND names"}`,
  ];
  const steps = first
    ? firstSteps({ settings, outbound, smtpPort }, first.account, await firstApiToken(first))
    : laterSteps();
  process.stdout.write(`${[...lines, ...steps, ""].join("\n")}\n`);
  // Where the variables have named an account since, there is none to tell.
  await rm(join(settings.DATA_DIR, untoldFile), { force: true });
}

function laterSteps(): string[] {
  return ["", "  To make an account:  npm run admin -- account add NAME"];
}

function firstSteps(
  { settings, outbound, smtpPort }: Pick<Installed, "settings"> & { outbound: string; smtpPort: string },
  account: FirstAccount,
  token: string,
): string[] {
  const { PUBLIC_URL: publicUrl, SERVICE_DOMAIN: domain } = settings;
  const proxyAddress = `hello@${domain}`;
  const creation = JSON.stringify({
    data: {
      type: "proxy_bindings",
      attributes: { proxy_address: proxyAddress, real_addresses: [account.BOOTSTRAP_USER], is_browsable: true },
    },
  });
  return [
    `  Account        ${account.BOOTSTRAP_USER}, password ${account.BOOTSTRAP_PASSWORD}   (shown this once)`,
    `  API token      ${token}`,
    "",
    "Three commands to try:",
    "",
    `  1. Make a proxy address that forwards to ${account.BOOTSTRAP_USER}:`,
    "",
    `curl -sS ${publicUrl}/api/v1/proxy-bindings -H 'Token: ${token}' -H 'Content-Type: application/json' -d '${creation}'`,
    "",
    "  2. Send it a mail:",
    "",
    `printf 'From: Ann <ann@example.com>\\r\\nTo: ${proxyAddress}\\r\\nSubject: Hello\\r\\n\\r\\nIs anybody there?\\r\\n' | curl -sS smtp://127.0.0.1:${smtpPort} --mail-from ann@example.com --mail-rcpt ${proxyAddress} -T -`,
    "",
    "  3. See what left for the real address:",
    "",
    `cat ${shellWord(outbound)}/*.eml`,
  ];
}

/** As a shell reads it back: a folder's name may have blanks. */
export function shellWord(value: string): string {
  return /^[\w./:,@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** Makes the account's API token, without a session: the first sign-in is its owner's. */
async function firstApiToken({ account, auth }: { account: FirstAccount; auth: Auth }): Promise<string> {
  const [made] = await auth.listAccounts({ username: account.BOOTSTRAP_USER });
  if (!made) throw new Error("auth has not made the account of BOOTSTRAP_USER");
  const { token } = await auth.rotateApiToken({ accountId: made.id });
  return token;
}
