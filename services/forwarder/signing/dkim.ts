import { fieldsNamed, type HeaderField } from "../../message/header/fields.ts";
import { dayS } from "../../platform/durations.ts";
import { relaxedField, signatureField } from "./signature-field.ts";
import type { SigningKey } from "./signing-key.ts";

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

/** A message to be signed. */
export interface Signable {
  readonly fields: readonly HeaderField[];
  /** Base64, relaxed. */
  readonly bodyHash: string;
  readonly domain: string;
  /** Seconds since 1970. */
  readonly signedAtS: number;
}

/** A DKIM-Signature (RFC 6376) by each key, over the same fields. */
export function dkimSignatures(message: Signable, keys: readonly SigningKey[]): Promise<HeaderField[]> {
  const { fields, signedAtS, bodyHash } = message;
  const contentNames = fields.map(({ name }) => name).filter((name) => name.startsWith("content-"));
  const oversigned = [...new Set([...oversignedNames, ...contentNames])];
  const signed = signedFields(fields, [...new Set([...signedNames, ...oversigned])]);
  const canonical = signed.map(relaxedField);
  const h = [...signed.map(({ name }) => name), ...oversigned].join(":");
  const sign = (key: SigningKey) => {
    const tags = { v: 1, ...commonTags(message, key), x: signedAtS + lifetimeS, h, bh: bodyHash };
    return signatureField("DKIM-Signature", tags, canonical, key);
  };
  return Promise.all(keys.map(sign));
}

/** ARC-Message-Signature (RFC 8617 section 4.1.2): like a DKIM signature, over the author's own signatures as well. */
export function arcMessageSignature(message: Signable, instance: number, key: SigningKey): Promise<HeaderField> {
  const signed = signedFields(message.fields, [...signedNames, "dkim-signature"]);
  const tags = { i: instance, ...commonTags(message, key), h: signed.map(({ name }) => name).join(":") };
  return signatureField("ARC-Message-Signature", { ...tags, bh: message.bodyHash }, signed.map(relaxedField), key);
}

function commonTags({ domain, signedAtS }: Signable, { algorithm, selector }: SigningKey) {
  return { a: algorithm, c: "relaxed/relaxed", d: domain, s: selector, t: signedAtS };
}

/** Fields of the same name bottom up, as verifiers take them (RFC 6376 section 5.4.2). */
function signedFields(fields: readonly HeaderField[], names: readonly string[]): HeaderField[] {
  return names.flatMap((name) => fieldsNamed(fields, name).reverse());
}
