import { createHash, type KeyObject, sign } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { MadeSignature, SigningBatch } from "./signing-thread.ts";

// The entry of the signing thread: see signing-thread.ts.

parentPort?.on("message", ({ keys, inputs }: SigningBatch) => {
  const signatures = inputs.map(({ key, input }): MadeSignature => {
    try {
      return signatureOf(Buffer.from(input, "latin1"), keys[key] as KeyObject);
    } catch (error) {
      // The other signatures of the batch are not for its domain.
      return error as Error;
    }
  });
  parentPort?.postMessage(signatures);
});

/** Base64. Ed25519 signs the SHA-256 of what RSA signs (RFC 8463 section 3). */
function signatureOf(input: Buffer, key: KeyObject): string {
  const signature =
    key.asymmetricKeyType === "rsa"
      ? sign("sha256", input, key)
      : sign(null, createHash("sha256").update(input).digest(), key);
  return signature.toString("base64");
}
