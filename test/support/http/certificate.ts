import { type KeyPair, selfSigned } from "../../../services/ingress/tls/self-signed.ts";

/** A key and a self-signed certificate for a made-up name, both PEM: a server of a test's own, and what its clients may trust. */
export function testCertificate(name: string): Promise<KeyPair> {
  return selfSigned(name);
}
