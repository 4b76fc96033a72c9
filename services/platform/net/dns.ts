import { asciiDomain } from "../../message/address/domain-name.ts";
import { defineConfig, list, oneOf } from "../config.ts";

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
