import { createHash, randomBytes } from "node:crypto";

/** A secret that nobody guesses: 256 random bits, as base64url. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of such a secret, and looked up: its SHA-256. */
export function tokenDigest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
