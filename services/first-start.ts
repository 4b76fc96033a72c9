import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { type Environment, loadConfig } from "./platform/config.ts";
import { exists } from "./platform/files.ts";
import type { Host } from "./platform/runtime/host.ts";
import { settingsConfig } from "./platform/runtime/settings.ts";

/** The account that a fresh DATA_DIR gets when none was asked for, as the variables that auth reads. */
interface FirstAccount {
  BOOTSTRAP_USER: string;
  BOOTSTRAP_PASSWORD: string;
}

/** Makes up an account if nothing is kept yet and nobody named one; undefined otherwise. */
export async function firstAccount(environment: Environment): Promise<FirstAccount | undefined> {
  // Whether DATABASE_URL is one is said with all other faults.
  if (environment["DATABASE_URL"] || environment["BOOTSTRAP_USER"]) return undefined;
  const { DATA_DIR } = loadConfig({ DATA_DIR: settingsConfig.DATA_DIR }, environment);
  if (await exists(join(DATA_DIR, "postgres"))) return undefined;
  return { BOOTSTRAP_USER: "you@example.org", BOOTSTRAP_PASSWORD: randomBytes(12).toString("base64url") };
}

/** Says on standard output where everything is and, when an account was just made, what to try with it. */
export async function welcome({ settings, config }: Host, account: FirstAccount | undefined): Promise<void> {
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
  process.stdout.write(
    `${[...lines, ...(account ? await firstSteps({ publicUrl: settings.PUBLIC_URL, domain: settings.SERVICE_DOMAIN, outbound, smtpPort }, account) : laterSteps()), ""].join("\n")}\n`,
  );
}

function laterSteps(): string[] {
  return ["", "  An account was made at the first start; another one:  npm run admin -- account add NAME"];
}

async function firstSteps(
  { publicUrl, domain, outbound, smtpPort }: Record<"publicUrl" | "domain" | "outbound" | "smtpPort", string>,
  account: FirstAccount,
): Promise<string[]> {
  const token = await apiToken(publicUrl, account);
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
    `cat ${outbound}/*.eml`,
  ];
}

/** The API token of the account, read by a session that ends with it: nobody else's is listed in the settings. */
async function apiToken(publicUrl: string, account: FirstAccount): Promise<string> {
  const attributes = { username: account.BOOTSTRAP_USER, password: account.BOOTSTRAP_PASSWORD };
  const signedIn = await fetch(`${publicUrl}/api/v1/auth`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data: { type: "auth-request", attributes } }),
  });
  const bearer = ((await signedIn.json()) as { data: { attributes: { token: string } } }).data.attributes.token;
  const authorization = `Bearer ${bearer}`;
  const answer = await fetch(`${publicUrl}/api/v1/api-token`, { headers: { authorization } });
  const { token } = (await answer.json()) as { token: string };
  await fetch(`${publicUrl}/graphql`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ query: "mutation { signOut { isSignedOut } }" }),
  });
  return token;
}
