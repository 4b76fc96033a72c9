import { createHmac } from "node:crypto";
import type { BodyPieces } from "./call.ts";

/** The three headers of Standard Webhooks 1.0.0. */
interface SignatureHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/**
 * Signs one attempt as Standard Webhooks 1.0.0 has it ("Signature scheme"): HMAC-SHA256 over `id.timestamp.body`, once
 * with each secret that is valid now, so that a secret can be rotated without a moment's gap.
 * @param id the same at every attempt; must hold no full stop
 * @param at when this attempt is made
 * @param secrets `whsec_` and the key in base64
 */
export function signatureHeaders(id: string, at: Date, body: BodyPieces, secrets: readonly string[]): SignatureHeaders {
  const timestamp = Math.floor(at.getTime() / 1_000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`);
    for (const piece of body) hmac.update(piece);
    return `v1,${hmac.digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
