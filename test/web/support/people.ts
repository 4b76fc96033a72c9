import { randomBytes } from "node:crypto";
import { eventually } from "../../support/eventually.ts";
import { admin } from "../../support/installation/admin.ts";
import type { SharedInstallation } from "../../support/installation/shared-installation.ts";
import { asSuperuser } from "../../support/peers/database.ts";

/** What somebody signs up and in with. */
export interface Person {
  readonly username: string;
  readonly password: string;
}

/** Somebody whom nobody else in this run is. */
export function somebody(): Person {
  return { username: `somebody-${randomBytes(6).toString("hex")}@example.org`, password: "four words in a row" };
}

/** The latest link of a kind in the captured mail to an address. */
export function linkTo(installation: SharedInstallation, address: string, page: "confirm" | "reset" | "verify") {
  return eventually(async () => {
    const mails = (await installation.outbound()).filter(({ envelopeTo }) => envelopeTo === address);
    const links = mails.flatMap(({ message }) => new RegExp(`https?://\\S+/${page}/\\S+`).exec(String(message)) ?? []);
    const latest = links.at(-1);
    if (latest === undefined) throw new Error(`no mail to ${address} has a link to /${page}`);
    return latest;
  });
}

/** As `npm run admin -- account operator USERNAME on` does it. */
export async function makeOperator({ environment }: SharedInstallation, username: string): Promise<void> {
  await admin({ environment }, "account", "operator", username, "on");
}

/** As if somebody had given their password, or used their passkey, half an hour ago. */
export async function letProofsAge(installation: SharedInstallation, username: string): Promise<void> {
  const statement = `update auth.session set proved_at = proved_at - interval '30 minutes'
    where account_id = (select id from auth.account where username = $1)`;
  await asSuperuser(await installation.databaseUrl(), statement, [username]);
}
