import type { HeaderField } from "../../message/header/fields.ts";
import { dayS } from "../../platform/durations.ts";
import type { Signable } from "./signable.ts";
import { signatureField, signedNamesTag } from "./signature-field.ts";
import type { SigningIdentity, SigningKey } from "./signing-key.ts";

/** Signed if present (RFC 6376 section 5.4.1). */
const signedNames = [
  ...["from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references"],
  ...["mime-version", "content-type", "content-transfer-encoding"],
  ...["list-id", "list-unsubscribe", "list-unsubscribe-post"],
];

/**
 * Fields that clients show, or that say how a body is read (RFC 2045, 2183, 2557, 3282 and others). DKIM signs each once more than it
 * occurs, so that adding one breaks the signature (RFC 6376 section 5.4.2).
 */
const oversignedNames = [
  ...["from", "to", "cc", "subject", "date", "reply-to", "mime-version", "content-type", "content-transfer-encoding"],
  ...[
    "content-disposition",
    "content-id",
    "content-description",
    "content-language",
    "content-location",
    "content-base",
  ],
  ...["content-md5", "content-duration", "content-features", "content-alternative"],
];

/** A signature is valid for longer than a message is retried, but a signed message cannot be replayed for ever. */
const lifetimeS = 7 * dayS;

/** A DKIM-Signature (RFC 6376) by each key, over the same fields. */
export function dkimSignatures(message: Signable, { domain, keys }: SigningIdentity): HeaderField[] {
  // A semicolon, which names may have (RFC 5322 section 3.6.8), would end the tag h, and what follows it would be another.
  const contentNames = [...message.names].filter((name) => name.startsWith("content-") && !name.includes(";"));
  const oversigned = [...new Set([...oversignedNames, ...contentNames])];
  const { names, signed } = signedFields(message, [...new Set([...signedNames, ...oversigned])]);
  const { bodyHash, signedAtS } = message;
  const h = signedNamesTag([...names, ...oversigned]);
  const sign = (key: SigningKey) => {
    const tags = { v: 1, ...commonTags(message, domain, key), x: signedAtS + lifetimeS, h, bh: bodyHash };
    return signatureField("DKIM-Signature", tags, signed, key);
  };
  return keys.map(sign);
}

/** ARC-Message-Signature (RFC 8617 section 4.1.2): like a DKIM signature, over the author's own signatures as well. */
export function arcMessageSignature(
  message: Signable,
  { domain, instance }: { domain: string; instance: number },
  key: SigningKey,
): HeaderField {
  const { names, signed } = signedFields(message, [...signedNames, "dkim-signature"]);
  const tags = { i: instance, ...commonTags(message, domain, key), h: signedNamesTag(names), bh: message.bodyHash };
  return signatureField("ARC-Message-Signature", tags, signed, key);
}

function commonTags({ signedAtS }: Signable, domain: string, { algorithm, selector }: SigningKey) {
  return { a: algorithm, c: "relaxed/relaxed", d: domain, s: selector, t: signedAtS };
}

/** The message's fields of these names in relaxed canonicalization, and the name of each. */
function signedFields(message: Signable, of: readonly string[]): { names: string[]; signed: string[] } {
  const names: string[] = [];
  const signed: string[] = [];
  for (const name of of)
    for (const field of message.canonical(name)) {
      names.push(name);
      signed.push(field);
    }
  return { names, signed };
}
