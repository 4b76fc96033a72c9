import { createPublicKey } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Records } from "./dns-cache.ts";

/** RFC 8301 section 3.2: what verifiers have to validate with. */
const modulusLimitBits = 4_096;
/** All keys in use have 65537 or less; with a long one, to verify takes as long as to sign. */
const exponentLimit = 2n ** 32n;
/** A key of 4,096 bits takes 740. */
const recordLimitChars = 2_048;
/** Shorter than any modulus of 1,024 bits, in base64. */
const shortChars = 128;
/** By record: to read a key takes 40 µs, and most mail is signed with one of few. */
const known = new LRUCache<string, boolean>({ max: 500, memoMethod: (text) => text.split(/[=;]/).some(isCostly) });

/**
 * Whether a key record (RFC 6376 section 3.6.1) has an RSA key with which to verify costs far more than with those in use: 3 ms with 16,384 bits,
 * for each of 120 signatures that a message may have. Each tag is looked at, whichever the verifier takes the key from.
 */
export function hasCostlyKey(records: Records): boolean {
  const text = [records[0] ?? []].flat().join("").replace(/\s+/g, "");
  return text.length > recordLimitChars || known.memo(text);
}

function isCostly(value: string): boolean {
  if (value.length <= shortChars) return false;
  const key = Buffer.from(value, "base64");
  const { modulusLength = 0, publicExponent = 0n } = detailsOf(key, "spki") ?? detailsOf(key, "pkcs1") ?? {};
  return modulusLength > modulusLimitBits || publicExponent > exponentLimit;
}

function detailsOf(key: Buffer, type: "spki" | "pkcs1") {
  try {
    return createPublicKey({ key, format: "der", type }).asymmetricKeyDetails;
  } catch {
    return undefined;
  }
}
