import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import type { SigningAlgorithm } from "./signing-key.ts";

/** RFC 8301 section 3.2: at least 1,024 bits, better 2,048. The records of longer keys are too long for some resolvers. */
const rsaBits = 2_048;

export function generatePrivateKey(algorithm: SigningAlgorithm): Promise<KeyObject> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, _publicKey: KeyObject, privateKey: KeyObject) =>
      error ? reject(error) : resolve(privateKey);
    if (algorithm === "rsa-sha256") generateKeyPair("rsa", { modulusLength: rsaBits }, done);
    else generateKeyPair("ed25519", {}, done);
  });
}

/** The public key for `p=`: SubjectPublicKeyInfo for RSA (RFC 6376 section 3.6.1), 32 octets for Ed25519 (RFC 8463 section 4). */
export function publicKeyData(privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return (privateKey.asymmetricKeyType === "ed25519" ? spki.subarray(-32) : spki).toString("base64");
}
