import { Resolver } from "node:dns";
import { asciiDomain } from "../../message/address/domain-name.ts";
import { cidrs, defineConfig, list, oneOf } from "../config.ts";

/** Read by bindings, which refuses a URL that is written as a special address, and by webhook, which refuses to connect to one. */
export const callbackTargetsConfig = defineConfig({
  CALLBACK_ALLOW_CIDRS: cidrs("").describe(
    "Special address ranges (loopback, private …) that callbacks may reach; what a target there answers (headers, the first 2 KiB) can be read by the owner of the callback",
  ),
});

const form = "addresses of name servers, with or without port, comma-separated";

/** For services that look up names that users or senders of mail gave. */
export const nameServersConfig = defineConfig({
  DNS_SERVERS: list("", form, nameServer)
    .meta({ unset: "the system's resolver" })
    .describe(
      "The name servers that are asked for mail exchangers, callback targets, the records of senders and of accounts' own domains; for tests and split networks",
    ),
});

function nameServer(given: string): string | undefined {
  try {
    new Resolver().setServers([given]);
    return given;
  } catch {
    return undefined;
  }
}

/** For services that say where mail for this installation goes. */
export const mailHostsConfig = defineConfig({
  MAIL_HOSTS: list("", "host names, comma-separated, the preferred one first", asciiDomain)
    .meta({ unset: "SERVICE_DOMAIN itself" })
    .describe(
      "The hosts that take mail for SERVICE_DOMAIN, as its MX records and MTA-STS policy are to name them; MX records of accounts' own domains have to name one",
    ),
});

/** For services that say how accounts' own domains publish their keys. */
export const dkimDelegationConfig = defineConfig({
  DKIM_DELEGATION: oneOf(["txt", "cname"], "txt").describe(
    "How accounts' own domains publish their DKIM keys: themselves, or by a CNAME to names under _dkim.SERVICE_DOMAIN, whose records the command dns lists",
  ),
});

/** The hosts that take mail. */
export function mailHosts({ MAIL_HOSTS }: { MAIL_HOSTS: readonly string[] }, serviceDomain: string): readonly string[] {
  return MAIL_HOSTS.length > 0 ? MAIL_HOSTS : [serviceDomain];
}
