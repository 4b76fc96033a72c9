import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { loadConfig } from "../../platform/config.ts";
import { dayMs } from "../../platform/durations.ts";
import { hostConfig } from "../../platform/runtime/host.ts";
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
    return aboutTime(certificate);
  });
}

function aboutTime({ validFrom, validTo }: X509Certificate): string {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs);
  if (Date.parse(validFrom) > Date.now()) throw new Error(`the certificate is not good before ${validFrom}`);
  if (days < minDaysLeft) throw new Error(`the certificate ends ${validTo}`);
  return `a certificate for every host, good for ${days} days`;
}
