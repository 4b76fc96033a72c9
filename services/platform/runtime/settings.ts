import {
  boolean,
  type ConfigOf,
  defineConfig,
  domain,
  integer,
  oneOf,
  optionalSecret,
  optionalSite,
  optionalText,
  optionalUrl,
  port,
  text,
} from "../config.ts";

/** With the key an attacker can read and sign everything; 32 characters of any usual alphabet are beyond guessing. */
const minSecretKeyCharacters = 32;

/** A label of a domain (RFC 1035 section 2.3.1) that leaves room for "-int". */
const serviceNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,57}[a-z0-9])?$/i;

/** Settings that are the same for every service of an installation. */
export const settingsConfig = defineConfig({
  HTTP_PORT: port(8080).describe(
    "The public HTTP port: /api/v1, /graphql, the web application, /openapi.json, /healthz, /readyz, /servingz, /metrics",
  ),
  INTERNAL_PORT: port(9090).describe(
    "Port on which a service of a fleet listens for its peers, probes and metrics scrapers. One process with all services listens there only if it is set",
  ),
  PUBLIC_URL: optionalSite()
    .meta({ unset: "http://127.0.0.1:$HTTP_PORT" })
    .describe(
      "The address at which users and programs reach Postern from outside: links in mails and recorders' URLs begin with it. Set it to your https:// address in production",
    ),
  // Blank, it would be the folder that the process was started in.
  DATA_DIR: text("./data", "a path", (given) => /^[^\0]+$/.test(given)).describe(
    "The folder for what has no store of its own: the embedded PostgreSQL, the SECRET_KEY made at the first start, and captured mail. It must outlive the process",
  ),
  DATABASE_URL: optionalUrl(["postgres", "postgresql"])
    .meta({ unset: "an embedded PostgreSQL under DATA_DIR" })
    .describe("PostgreSQL, as a role that may create roles; each service gets a schema and a role of its own"),
  REDIS_URL: optionalUrl(["redis", "rediss"])
    .meta({ unset: "counters and caches in the process" })
    .describe(
      "Redis, for rate limits and requests that wait for mail, where several processes of a service share them",
    ),
  SERVICE_DOMAIN: domain("postern.localhost").describe("The domain that proxy addresses are given out on"),
  SERVICE_NAME: text("postern", "up to 59 letters, digits and inner hyphens", (given) =>
    serviceNamePattern.test(given),
  ).describe("The service's name; its reserved internal domains are int.SERVICE_DOMAIN and SERVICE_NAME-int.int"),
  SECRET_KEY: optionalSecret(minSecretKeyCharacters)
    .meta({ unset: "made once under DATA_DIR; required where several processes share the work" })
    .describe(
      "The key that signs links in mails and reverse paths, and encrypts API tokens, signing keys and second factors. Keep a copy: without it they are lost",
    ),
  SECRET_KEY_PREVIOUS: optionalText().describe(
    "The former SECRET_KEY while it is replaced: what it signed is still taken, what it encrypted is encrypted again under the new one. In a fleet every process has to know the new one before any has it as SECRET_KEY (docs/operating.md)",
  ),
  RPC_TOKENS_OF_0_1: boolean(false).describe(
    "Whether services call those of release 0.1.0, and answer them: while a fleet is upgraded from it, so that mail need not wait. A token of that release is good at every service",
  ),
  LOG_LEVEL: oneOf(["debug", "info", "warn", "error", "fatal", "silent"], "info").describe(
    "The lowest level that is logged",
  ),
  LOG_FORMAT: oneOf(["auto", "json", "text"], "auto").describe(
    "One JSON object a line, or text for people; auto is text on a terminal, else JSON",
  ),
  RPC_TIMEOUT_MS: integer(5_000, { min: 100, max: 60_000 }).describe(
    "How long one service waits for another's answer, in milliseconds",
  ),
  REQUEST_TIMEOUT_S: integer(120, { min: 1, max: 3_600 }).describe(
    "How long a client may take to send a request with its body, in seconds; then its connection is closed",
  ),
  STOP_TIMEOUT_S: integer(25, { min: 1, max: 600 }).describe(
    "How long a stop may take to finish what is in progress, in seconds",
  ),
});

type RawSettings = ConfigOf<typeof settingsConfig>;

/** The settings with what follows from them filled in. */
export interface Settings extends Omit<RawSettings, "PUBLIC_URL"> {
  PUBLIC_URL: string;
  /** Mail to addresses of these domains is stored and called back, never sent. */
  internalDomains: readonly string[];
}

export function completeSettings(raw: RawSettings): Settings {
  return {
    ...raw,
    PUBLIC_URL: raw.PUBLIC_URL ?? `http://127.0.0.1:${raw.HTTP_PORT}`,
    internalDomains: [`int.${raw.SERVICE_DOMAIN}`, `${raw.SERVICE_NAME.toLowerCase()}-int.int`],
  };
}
