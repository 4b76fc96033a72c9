import { domainOf } from "../message/address/addr-spec.ts";
import { asciiDomain } from "../message/address/domain-name.ts";
import { boolean, cidrs, defineConfig, integer, list, oneOf, optionalText, port } from "../platform/config.ts";
import { nameServersConfig } from "../platform/net/config.ts";

function isAddress(given: string): boolean {
  return /^[^\s@<>,;:"]+@[^@]+$/.test(given) && asciiDomain(domainOf(given)) !== undefined;
}

export const ingressConfig = defineConfig({
  ...nameServersConfig,
  SMTP_PORT: port(2525).describe("The port that takes mail by SMTP"),
  SMTP_SIZE_LIMIT: integer(35 * 1024 * 1024, { min: 64 * 1024, max: 1024 ** 3 }).describe(
    "The largest message accepted, in bytes (35 MiB)",
  ),
  SMTP_RECIPIENT_LIMIT: integer(100, { min: 1, max: 1_000 }).describe(
    "Recipients of one message at most; RFC 5321 wants at least 100",
  ),
  SMTP_IDLE_TIMEOUT_S: integer(300, { min: 1, max: 3_600 }).describe(
    "How long a client may be idle, in seconds; RFC 5321 wants 5 minutes",
  ),
  SMTP_MAX_CONNECTIONS: integer(1_000, { min: 1, max: 100_000 }).describe(
    "Open SMTP connections of one process at most",
  ),
  SMTP_MAX_CONNECTIONS_PER_CLIENT: integer(50, { min: 1, max: 100_000 }).describe(
    "Open SMTP connections of one client address (of IPv6: one /64) to one process at most; LIMIT_EXEMPT_CIDRS may have more",
  ),
  SMTP_BARE_LINE_ENDINGS: oneOf(["refuse", "repair"], "refuse").describe(
    "A message with a CR or LF on its own (550 5.6.11) or a NUL (550 5.6.0) is refused, or repaired before it is stored",
  ),
  SMTP_TLS_KEY_FILE: optionalText("a path")
    .meta({ unset: "a self-signed pair, made at each start" })
    .describe("The private key of STARTTLS, PEM; reread when it changes"),
  SMTP_TLS_CERT_FILE: optionalText("a path")
    .meta({ unset: "a self-signed pair, made at each start" })
    .describe("The certificate chain of STARTTLS, PEM; reread when it changes"),
  SMTP_PROXY_CIDRS: cidrs("").describe(
    "Proxies in front of SMTP_PORT: their connections must begin with a PROXY header, version 1 or 2",
  ),
  DMARC_ENFORCE: boolean(false).describe(
    "Whether mail is refused (550 5.7.26) that fails DMARC for an author whose domain has p=reject, or whose From names no author or several domains and none passes; and deferred (451 4.7.0) while DNS cannot tell. Otherwise the verdict is recorded and shown",
  ),
  ARC_TRUSTED_SEALERS: list("", "domains, comma-separated, as d= of ARC-Seal has them", asciiDomain).describe(
    "Lists and forwarders whose ARC seals are believed: mail that they sealed last, and for whose author DMARC passed there by their word, is not refused for failing DMARC here",
  ),
  LIMIT_CLIENT_PER_MIN: integer(300, { min: 1 }).describe(
    "SMTP messages a minute from one client address (of IPv6: one /64); a recipient that is refused for good counts as one",
  ),
  LIMIT_BINDING_PER_MIN: integer(600, { min: 1 }).describe("SMTP messages a minute to one proxy binding"),
  LIMIT_EXEMPT_CIDRS: cidrs("127.0.0.0/8,::1/128").describe(
    "Clients without limits: their messages count towards no limit, not even a binding's",
  ),
  OPERATOR_ADDRESS: optionalText("an email address", isAddress)
    .meta({ unset: "kept where only the operator looks" })
    .describe("Where mail to postmaster and abuse goes"),
  RAW_RETENTION_DAYS: integer(45, { min: 1, max: 3_650 }).describe(
    "After how many days raw messages are deleted even if they are still needed; longer than the retry schedule and the mailbox's retention",
  ),
});
