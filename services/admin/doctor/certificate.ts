import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { loadConfig } from "../../platform/config.ts";
import { dayMs } from "../../platform/durations.ts";
import { hostConfig } from "../../platform/runtime/host.ts";
import { internalTlsConfig, readInternalTls } from "../../platform/security/internal-tls.ts";
import type { Installation } from "../installation.ts";
import { type CheckResult, check } from "./check.ts";
import { isPublicDomain } from "./public-domain.ts";

/** Certificates are renewed weeks before their end: what comes closer was forgotten. */
const minDaysLeft = 7;

/** The certificate that senders are shown (RFC 3207), which they check where MTA-STS or DANE asks for it. */
export function examineCertificate(installation: Installation): Promise<CheckResult> {
  return check("TLS of incoming mail", async () => {
    const { SERVICE_DOMAIN: domain } = installation.settings();
    const config = loadConfig(hostConfig(installation.services), installation.environment);
    const [keyFile, certificateFile] = [config["SMTP_TLS_KEY_FILE"], config["SMTP_TLS_CERT_FILE"]];
    if (typeof keyFile !== "string" || typeof certificateFile !== "string") {
      if (isPublicDomain(domain)) throw new Error("a self-signed certificate, which senders that go by MTA-STS refuse");
      return "a self-signed certificate, which is enough here";
    }
    const certificate = new X509Certificate(await readFile(certificateFile));
    if (!certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile))))
      throw new Error(`${keyFile} is not the key of ${certificateFile}`);
    const hosts = config["MAIL_HOSTS"] as readonly string[];
    const unnamed = (hosts.length > 0 ? hosts : [domain]).filter((host) => !certificate.checkHost(host));
    if (unnamed.length > 0) throw new Error(`the certificate is not for ${unnamed.join(", ")}`);
    return `a certificate for every host, good for ${daysLeft(certificate, "certificate")} days`;
  });
}

/** The certificate that services show each other, and the authority that they trust. */
export function examineInternalCertificate(installation: Installation): Promise<CheckResult> {
  return check("TLS between services", async () => {
    const config = loadConfig(internalTlsConfig, installation.environment);
    const files = await readInternalTls(config);
    if (!files) return "not set: over plain HTTP";
    const chain = certificatesOf(files.cert);
    // While it is replaced, there are two authorities: the former one may come to its end.
    const issuers = certificatesOf(files.ca).filter((authority) => chain.some((each) => isIssuedBy(each, authority)));
    const [certificate] = chain;
    const authority = issuers.toSorted((one, other) => Date.parse(other.validTo) - Date.parse(one.validTo))[0];
    if (!certificate || !authority) throw new Error(`no authority in ${config.INTERNAL_TLS_CA} issued the certificate`);
    const days = Math.min(...chain.map((each) => daysLeft(each, "certificate")));
    const authorityDays = daysLeft(authority, "authority");
    return `a certificate good for ${days} days, of an authority good for ${authorityDays} days`;
  });
}

/** Those of a PEM file, in their order. */
function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function daysLeft({ validFrom, validTo }: X509Certificate, name: string): number {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs);
  if (Date.parse(validFrom) > Date.now()) throw new Error(`the ${name} is not good before ${validFrom}`);
  if (days < minDaysLeft) throw new Error(`the ${name} ends ${validTo}`);
  return days;
}
