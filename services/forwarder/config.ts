import { boolean, cidrs, defineConfig, durations, integer, list, oneOf, text } from "../platform/config.ts";
import { dkimDelegationConfig, mailHostsConfig, nameServersConfig } from "../platform/net/config.ts";
import { signingModes } from "./signing/signer.ts";

/** Those that name somebody (RFC 7208 section 5); the record ends in an "all" of its own. */
const mechanism = /^[+?~-]?(?:(?:ip4|ip6|include|exists):\S+|(?:a|mx)(?:[:/]\S+)?)$/i;

const outboundForm = "capture, mx, smtp://host:port or smtps://host:port";

function isOutbound(value: string): boolean {
  if (value === "capture" || value === "mx") return true;
  return /^smtps?:\/\/\S+$/.test(value) && URL.canParse(value) && isRelay(new URL(value));
}

/** Whether its parts can be used as they are given: no more of them than a relay has, and a password that can be decoded. */
function isRelay({ hostname, port, pathname, search, hash, username, password }: URL): boolean {
  const isAlone = /^\/?$/.test(pathname) && search === "" && hash === "";
  return hostname !== "" && port !== "0" && isAlone && isEncoded(username) && isEncoded(password);
}

/** RFC 3986, section 2.1: octets that are UTF-8. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** 1, 5, 15, 30 minutes, 1, 2, 4, 8 hours, then every 8 hours, five days in all (RFC 5321 section 4.5.4.1 wants 4 to 5). Exported for tests. */
export const defaultRetriesS = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, ...Array<number>(14).fill(28_800)];

export const forwarderConfig = defineConfig({
  OUTBOUND: text("capture")
    .refine(isOutbound, `expected ${outboundForm}`)
    .meta({ form: outboundForm, fallback: "capture" })
    .describe(
      "How mail leaves: as files under DATA_DIR/outbound, by a relay (a user and password may stand in the URL), or straight to each domain's exchangers",
    ),
  ...nameServersConfig,
  MX_PORT: integer(25, { min: 1, max: 65_535 }).describe("The port of mail exchangers; for tests"),
  MX_DANE: boolean(true).describe("Honour TLSA records (RFC 7672); needs a resolver that validates DNSSEC"),
  FORWARD_RETRY_S: durations(defaultRetriesS.join(",")).describe(
    "Seconds after each failed attempt; after the last one the delivery is given up",
  ),
  FORWARD_CONCURRENCY: integer(100, { min: 1, max: 5_000 }).describe("Deliveries in flight at once in one process"),
  FORWARD_SESSIONS: integer(20, { min: 1, max: 1_000 }).describe(
    "SMTP sessions at once with the relay, or with one organisational domain and with one exchanger address",
  ),
  FORWARD_PER_OWNER: integer(25, { min: 1, max: 5_000 }).describe(
    "Deliveries for one account in flight at once in one process, where OUTBOUND is mx; half of FORWARD_CONCURRENCY at most",
  ),
  FORWARD_HANDSHAKE_S: integer(30, { min: 1, max: 300 }).describe(
    "How long a server may take to connect and for each reply before RCPT, in seconds",
  ),
  OUTBOUND_ALLOW_CIDRS: cidrs("")
    .meta({ unset: "loopback where all DNS_SERVERS are on loopback, else none" })
    .describe("Special address ranges (loopback, private …) that mail exchangers and MTA-STS policy hosts may be at"),
  FORWARD_LEASE_S: integer(60, { min: 1, max: 3_600 }).describe(
    "Seconds after which another worker takes over the deliveries of one that died",
  ),
  FORWARD_SIGN: oneOf(signingModes, "dkim+arc").describe(
    "What forwarded mail is signed with in the name of SERVICE_DOMAIN: DKIM by RSA and Ed25519, an ARC set, or both",
  ),
  DKIM_RETIRED_DAYS: integer(14, { min: 1, max: 365 }).describe(
    "How long the record of a signing key is to stay published after its successor took over, in days",
  ),
  DKIM_ROTATE_DAYS: integer(180, { min: 1, max: 3_650 }).describe(
    "After how many days the spare signing key of an account's own domain takes over, where DKIM_DELEGATION is cname",
  ),
  ...mailHostsConfig,
  ...dkimDelegationConfig,
  SPF_SENDERS: list("", "SPF mechanisms, comma-separated: ip4:192.0.2.0/24,include:relay.example", (given) =>
    mechanism.test(given) ? given : undefined,
  ).describe("Who sends for SERVICE_DOMAIN besides MAIL_HOSTS, such as the relay of OUTBOUND, for its SPF record"),
  COMPLAINTS_PAUSE_ORGANISATIONS: integer(3, { min: 1, max: 10_000 }).describe(
    "Organisations, by registered domain, that report complaints within 7 days about what one account sent, and at which those who complain are, before its sending may be paused",
  ),
  COMPLAINTS_PAUSE_PERCENT: integer(1, { min: 0, max: 100 }).describe(
    "Percentage of what an account sent within 7 days that these complaints have to exceed as well",
  ),
  FORWARD_KEEP_DAYS: integer(14, { min: 1, max: 3_650 }).describe(
    "How long deliveries are kept once they are settled, in days",
  ),
});
