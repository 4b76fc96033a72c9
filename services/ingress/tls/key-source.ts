import type { ConfigCheck } from "../../platform/config.ts";
import { ConfigurationError, messageOf } from "../../platform/errors.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import { checkKeyFiles, readKeyFiles, watchKeyFiles } from "../../platform/security/key-files.ts";
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

/** Whether the files that are named can be used: looked at before anything is started, and read by `keySource`. */
export const tlsFilesCheck: ConfigCheck = ({ SMTP_TLS_KEY_FILE: key, SMTP_TLS_CERT_FILE: cert }) => {
  if (!key && !cert) return [];
  if (typeof key !== "string" || typeof cert !== "string") return [bothOrNone];
  try {
    checkKeyFiles({ key, cert });
    return [];
  } catch (error) {
    return [unusable(error)];
  }
};

const variables = "SMTP_TLS_KEY_FILE, SMTP_TLS_CERT_FILE";
const bothOrNone = `${variables}: expected both or none`;

function unusable(error: unknown): string {
  return `${variables}: expected a key and its certificate, PEM: ${messageOf(error)}`;
}

/**
 * The key pair of STARTTLS: from files, or self-signed where there are none.
 * @throws ConfigurationError if a file is missing or cannot be used.
 */
export async function keySource({ key, cert }: KeyPaths, domain: string, logger: Logger): Promise<KeySource> {
  if (!key && !cert) return { current: await selfSigned(domain), watch: () => [] };
  if (!key || !cert) throw new ConfigurationError([bothOrNone]);
  const paths: KeyPair = { key, cert };
  const first = await readKeyFiles(paths).catch((error) => {
    throw new ConfigurationError([unusable(error)]);
  });
  return {
    current: first,
    watch: (onChange) => [
      watchKeyFiles({ name: "tls-key-files", variable: "SMTP_TLS_CERT_FILE", paths, first, onChange, logger }),
    ],
  };
}
