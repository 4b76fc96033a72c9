import { KeyObject, webcrypto } from "node:crypto";
import { dayMs } from "../../platform/durations.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const lifetimeDays = 3_650;
/** RFC 5280 section A.1, ub-common-name. */
const maxCommonNameChars = 64;

/** A private key and a certificate for it, both PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/**
 * A new P-256 key and a self-signed certificate (RFC 5280), for STARTTLS until there is a real one. Mail servers encrypt
 * opportunistically and do not check the name (RFC 7435): this keeps passive listeners out.
 */
export async function selfSigned(domain: string, now = new Date()): Promise<KeyPair> {
  // Loaded only where it is needed: it takes 20 MB of memory.
  await import("reflect-metadata");
  const { SubjectAlternativeNameExtension, X509CertificateGenerator } = await import("@peculiar/x509");
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [domain.slice(0, maxCommonNameChars)] }],
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + lifetimeDays * dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: domain }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
  return { key: key.toString(), cert: `${certificate.toString("pem")}\n` };
}
