import { readFile } from "node:fs/promises";
import { type ConfigOf, defineConfig, optionalText } from "../config.ts";
import { ConfigurationError, messageOf } from "../errors.ts";

export const internalTlsConfig = defineConfig({
  INTERNAL_TLS_CERT: optionalText("the path of a PEM file")
    .meta({ unset: "services call each other over plain HTTP" })
    .describe(
      "This process's certificate, with its chain: for its internal listener, and to show when it calls others",
    ),
  INTERNAL_TLS_KEY: optionalText("the path of a PEM file").describe("The private key of INTERNAL_TLS_CERT"),
  INTERNAL_TLS_CA: optionalText("the path of a PEM file").describe(
    "The authority of the certificates of all services; with these three every call between services is by mutual TLS",
  ),
});

/** What a process shows its peers, and trusts of theirs. */
export interface InternalTls {
  cert: Buffer;
  key: Buffer;
  ca: Buffer;
}

/** @throws ConfigurationError where one of the three is without the others, or cannot be read. */
export async function loadInternalTls(config: ConfigOf<typeof internalTlsConfig>): Promise<InternalTls | undefined> {
  const { INTERNAL_TLS_CERT: cert, INTERNAL_TLS_KEY: key, INTERNAL_TLS_CA: ca } = config;
  if (!cert && !key && !ca) return undefined;
  if (!cert || !key || !ca)
    throw new ConfigurationError(["INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA: expected all three or none"]);
  const read = (variable: string, path: string) =>
    readFile(path).catch((error: unknown) => {
      throw new ConfigurationError([`${variable}: ${messageOf(error)}`]);
    });
  const [certPem, keyPem, caPem] = await Promise.all([
    read("INTERNAL_TLS_CERT", cert),
    read("INTERNAL_TLS_KEY", key),
    read("INTERNAL_TLS_CA", ca),
  ]);
  return { cert: certPem, key: keyPem, ca: caPem };
}
