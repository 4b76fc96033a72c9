import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigurationError, messageOf } from "../../platform/errors.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { type KeyPair, selfSigned } from "./self-signed.ts";

/** Paths of the private key and the certificate chain, both PEM. */
interface KeyPaths {
  readonly key: string | undefined;
  readonly cert: string | undefined;
}

interface KeySource {
  readonly current: KeyPair;
  /** Background tasks that pass on a new pair. */
  watch(onChange: (pair: KeyPair) => void): PollingTask[];
}

/** How often the files are checked. */
const intervalMs = 10_000;

/**
 * The key pair of STARTTLS: from files, or self-signed where there are none.
 * @throws ConfigurationError if a file is missing or cannot be used.
 */
export async function keySource({ key, cert }: KeyPaths, domain: string, logger: Logger): Promise<KeySource> {
  if (!key && !cert) return { current: await selfSigned(domain), watch: () => [] };
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
  // A file that is being written may be empty, which createSecureContext would accept.
  if (key.trim() === "" || cert.trim() === "") throw new Error("one of the two files is empty");
  // Throws if key and certificate do not belong together.
  createSecureContext({ key, cert });
  return { key, cert };
}

/** The old pair stays in use while the files are not a valid pair: a renewal may replace one before the other. */
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
      logger.info("STARTTLS key pair reloaded");
      return false;
    },
  });
}
