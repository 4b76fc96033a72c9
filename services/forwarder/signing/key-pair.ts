import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import type { SigningAlgorithm } from "./signing-key.ts";

/** RFC 8301 section 3.2 wants at least 1,024 bits and advises 2,048; more does not fit every resolver. */
const rsaBits = 2_048;

export function makePrivateKey(algorithm: SigningAlgorithm): Promise<KeyObject> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, _publicKey: KeyObject, privateKey: KeyObject) =>
      error ? reject(error) : resolve(privateKey);
    if (algorithm === "rsa-sha256") generateKeyPair("rsa", { modulusLength: rsaBits }, done);
    else generateKeyPair("ed25519", {}, done);
  });
}

/** The public half as `p=` has it: of RSA the SubjectPublicKeyInfo (RFC 6376 section 3.6.1), of Ed25519 its 32 octets (RFC 8463 section 4). */
export function publishedForm(privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return (privateKey.asymmetricKeyType === "ed25519" ? spki.subarray(-32) : spki).toString("base64");
}
