import { generateKeyPair, type KeyObject } from "node:crypto";
import type { SigningAlgorithm } from "./signing-key.ts";

export const algorithms: readonly SigningAlgorithm[] = ["rsa-sha256", "ed25519-sha256"];
const selectorLetters = { "rsa-sha256": "r", "ed25519-sha256": "e" } as const;

/** RFC 8301 section 3.2: at least 1,024 bits, better 2,048. The records of longer keys are too long for some resolvers. */
const rsaBits = 2_048;

/** A public key to be published in DNS. */
export interface PublishedKey {
  selector: string;
  algorithm: SigningAlgorithm;
  publicKey: string;
}

interface KeyPair {
  /** PKCS #8 in PEM. */
  privateKey: string;
  /** For `p=`. */
  publicKey: string;
}

export function newKeyPair(algorithm: SigningAlgorithm): Promise<KeyPair> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, publicKey: KeyObject, privateKey: KeyObject) => {
      if (error) return reject(error);
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      resolve({ privateKey: pem, publicKey: publicKeyData(publicKey) });
    };
    if (algorithm === "rsa-sha256") generateKeyPair("rsa", { modulusLength: rsaBits }, done);
    else generateKeyPair("ed25519", {}, done);
  });
}

/** SubjectPublicKeyInfo for RSA (RFC 6376 section 3.6.1), 32 octets for Ed25519 (RFC 8463 section 4). */
function publicKeyData(publicKey: KeyObject): string {
  const spki = publicKey.export({ type: "spki", format: "der" });
  return (publicKey.asymmetricKeyType === "ed25519" ? spki.subarray(-32) : spki).toString("base64");
}

/** The algorithm's letter and the date, r20261121; or that with a number, r20261121-2. */
export function unusedSelector(taken: ReadonlySet<string>, algorithm: SigningAlgorithm): string {
  const day = `${selectorLetters[algorithm]}${new Date().toISOString().slice(0, 10).replaceAll("-", "")}`;
  let selector = day;
  for (let count = 2; taken.has(selector); count += 1) selector = `${day}-${count}`;
  return selector;
}
