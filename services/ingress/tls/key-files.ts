import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigurationError, messageOf } from "../../platform/errors.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { type KeyPair, selfSigned } from "./self-signed.ts";

/** Where the private key and the certificate chain lie, both PEM. */
export interface KeyPaths {
  readonly key: string | undefined;
  readonly cert: string | undefined;
}

export interface KeySource {
  readonly current: KeyPair;
  /** The works that look for a new pair and hand it over. */
  watch(onChange: (pair: KeyPair) => void): PollingTask[];
}

/** How often the files are looked at: a renewed certificate is in use long before the old one ends. */
const intervalMs = 10_000;

/**
 * The key pair of STARTTLS: from files, or self-signed where there are none.
 * @throws ConfigurationError if a file is missing or cannot be used.
 */
export async function keySource({ key, cert }: KeyPaths, domain: string, logger: Logger): Promise<KeySource> {
  if (!key && !cert) return { current: selfSigned(domain), watch: () => [] };
  if (!key || !cert) throw new ConfigurationError(["SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: expected both or none"]);
  const paths = { key, cert };
  const current = await readKeyPair(paths).catch((error) => {
    throw new ConfigurationError([
      `SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: expected a key and its certificate, PEM: ${messageOf(error)}`,
    ]);
  });
  return { current, watch: (onChange) => [watchKeyPair(paths, current, onChange, logger)] };
}

async function readKeyPair(paths: { key: string; cert: string }): Promise<KeyPair> {
  const [key, cert] = await Promise.all([readFile(paths.key, "utf8"), readFile(paths.cert, "utf8")]);
  // A file that is only just being written: an empty one counts as none, and would pass below.
  if (key.trim() === "" || cert.trim() === "") throw new Error("one of the two files is empty");
  // Refuses what does not fit together.
  createSecureContext({ key, cert });
  return { key, cert };
}

/** While what is there cannot be used (a renewal may replace one file before the other) the old pair stays in use. */
function watchKeyPair(
  paths: { key: string; cert: string },
  first: KeyPair,
  onChange: (pair: KeyPair) => void,
  logger: Logger,
): PollingTask {
  let known = first;
  return new PollingTask({
    name: "tls-key-files",
    intervalMs,
    logger,
    async run() {
      const pair = await readKeyPair(paths);
      if (pair.key === known.key && pair.cert === known.cert) return false;
      known = pair;
      onChange(pair);
      logger.info("the key pair of STARTTLS was reread");
      return false;
    },
  });
}
