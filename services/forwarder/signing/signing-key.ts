import { createHash, type KeyObject, sign } from "node:crypto";

export type SigningAlgorithm = "rsa-sha256" | "ed25519-sha256";

/** A private key and its selector. */
export interface SigningKey {
  readonly selector: string;
  readonly algorithm: SigningAlgorithm;
  readonly privateKey: KeyObject;
}

/** In whose name a message is signed. */
export interface SigningIdentity {
  readonly domain: string;
  /** One of each algorithm whose record is published. */
  readonly keys: readonly SigningKey[];
}

/** @param input in latin1 @returns base64. Ed25519 signs the SHA-256 of what RSA signs (RFC 8463 section 3). */
export function signatureBy({ algorithm, privateKey }: SigningKey, input: string): string {
  const octets = Buffer.from(input, "latin1");
  const signature =
    algorithm === "rsa-sha256"
      ? sign("sha256", octets, privateKey)
      : sign(null, createHash("sha256").update(octets).digest(), privateKey);
  return signature.toString("base64");
}
