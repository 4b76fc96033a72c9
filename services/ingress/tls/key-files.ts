import { ConfigurationError, messageOf } from "../../platform/errors.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import { readKeyFiles, watchKeyFiles } from "../../platform/security/key-files.ts";
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

/**
 * The key pair of STARTTLS: from files, or self-signed where there are none.
 * @throws ConfigurationError if a file is missing or cannot be used.
 */
export async function keySource({ key, cert }: KeyPaths, domain: string, logger: Logger): Promise<KeySource> {
  if (!key && !cert) return { current: await selfSigned(domain), watch: () => [] };
  if (!key || !cert) throw new ConfigurationError(["SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: expected both or none"]);
  const paths: KeyPair = { key, cert };
  const first = await readKeyFiles(paths).catch((error) => {
    throw new ConfigurationError([
      `SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE: expected a key and its certificate, PEM: ${messageOf(error)}`,
    ]);
  });
  return {
    current: first,
    watch: (onChange) => [watchKeyFiles({ name: "tls-key-files", paths, first, onChange, logger })],
  };
}
