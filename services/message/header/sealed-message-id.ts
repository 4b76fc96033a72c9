// Message identifiers (RFC 5322 section 3.6.4) of mail that leaves from a proxy address: the owner's own, sealed.

import { createCipheriv, createDecipheriv, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { fieldsNamed, type HeaderField, unfoldedBody } from "./fields.ts";

/** Derives keys: the current one, and the previous one while it is rotated. */
interface SealKeys {
  signingKeys(purpose: string): readonly [KeyObject, ...KeyObject[]];
}

/** A longer identifier would make lines that some servers break: it becomes a digest, and cannot be opened. */
const idLimitBytes = 180;
const sivBytes = 16;
const hopTagBytes = 7;
const hopPurpose = "message-id hop count";
const [wholeId, digestOnly] = [1, 2];
const threadIdLimit = 100;
const sealedPattern = /^<([\w-]{33,400})@[^<>\s@]+>$/;

/**
 * Identifiers that reveal nothing of the owner's program or domain, and that the owner's own are found from without a table, so
 * that threads hold on both sides. The same identifier is always sealed the same: AES-256-CTR under a key of the owner's, with a MAC
 * of what is sealed as its initial counter (SIV, RFC 5297). Beside it is a hop count, which is read without knowing the owner.
 */
export class SealedMessageIds {
  readonly #keys: SealKeys;

  constructor(keys: SealKeys) {
    this.#keys = keys;
  }

  /** With its brackets, at a domain. @param messageId the owner's, with or without brackets @param hopCount 0 to 255 */
  seal(ownerId: string, messageId: string, { hopCount, domain }: { hopCount: number; domain: string }): string {
    const [key] = this.#keys.signingKeys(ownerPurpose(ownerId));
    const [hopKey] = this.#keys.signingKeys(hopPurpose);
    const id = Buffer.from(withoutBrackets(messageId), "latin1");
    const isWhole = id.length <= idLimitBytes;
    const plain = Buffer.concat([Buffer.of(isWhole ? wholeId : digestOnly), isWhole ? id : mac(key, "long", id)]);
    const siv = mac(key, "siv", Buffer.of(hopCount), plain).subarray(0, sivBytes);
    const cipher = createCipheriv("aes-256-ctr", mac(key, "encryption"), siv);
    const head = Buffer.of(hopCount ^ maskOf(hopKey, siv));
    const token = Buffer.concat([head, hopTag(hopKey, hopCount, siv), siv, cipher.update(plain), cipher.final()]);
    return `<${token.toString("base64url")}@${domain}>`;
  }

  /** The owner's identifier, with its brackets; undefined for one that is not ours, or not this owner's. */
  open(ownerId: string, messageId: string): string | undefined {
    const parts = partsOf(messageId);
    if (!parts) return undefined;
    const { siv, sealed } = parts;
    const hopCount = this.hopCount(messageId);
    for (const key of this.#keys.signingKeys(ownerPurpose(ownerId))) {
      const cipher = createDecipheriv("aes-256-ctr", mac(key, "encryption"), siv);
      const plain = Buffer.concat([cipher.update(sealed), cipher.final()]);
      const isOurs = timingSafeEqual(mac(key, "siv", Buffer.of(hopCount), plain).subarray(0, sivBytes), siv);
      if (isOurs) return plain[0] === wholeId ? `<${plain.toString("latin1", 1)}>` : undefined;
    }
    return undefined;
  }

  /** How many answers came before it in its thread, itself included; 0 for an identifier that is not of this installation. */
  hopCount(messageId: string): number {
    const parts = partsOf(messageId);
    if (!parts) return 0;
    const { head, tag, siv } = parts;
    for (const key of this.#keys.signingKeys(hopPurpose)) {
      const hopCount = head ^ maskOf(key, siv);
      if (timingSafeEqual(hopTag(key, hopCount, siv), tag)) return hopCount;
    }
    return 0;
  }
}

/**
 * The identifiers of the thread that a header section belongs to, the newest last, without older ones than programs write: a field has
 * room for 13,000, and each costs several MACs.
 */
export function threadIdsIn(fields: readonly HeaderField[]): string[] {
  const all = ["references", "in-reply-to"].flatMap((name) => fieldsNamed(fields, name));
  return all.flatMap((field) => messageIdsIn(unfoldedBody(field))).slice(-threadIdLimit);
}

/** The identifiers in an unfolded body, with their brackets. */
export function messageIdsIn(body: string): string[] {
  return body.match(/<[^<>\s]{1,998}>/g) ?? [];
}

function partsOf(messageId: string) {
  const [, text] = sealedPattern.exec(messageId) ?? [];
  if (text === undefined) return undefined;
  const token = Buffer.from(text, "base64url");
  const [tagEnd, sivEnd] = [1 + hopTagBytes, 1 + hopTagBytes + sivBytes];
  if (token.length <= sivEnd || token.toString("base64url") !== text) return undefined;
  return {
    head: token[0] as number,
    tag: token.subarray(1, tagEnd),
    siv: token.subarray(tagEnd, sivEnd),
    sealed: token.subarray(sivEnd),
  };
}

function ownerPurpose(ownerId: string): string {
  return `message-id of ${ownerId}`;
}

function maskOf(key: KeyObject, siv: Buffer): number {
  return mac(key, "mask", siv)[0] as number;
}

function hopTag(key: KeyObject, hopCount: number, siv: Buffer): Buffer {
  return mac(key, "tag", Buffer.of(hopCount), siv).subarray(0, hopTagBytes);
}

function mac(key: KeyObject, use: string, ...parts: readonly Buffer[]): Buffer {
  const hmac = createHmac("sha256", key).update(`${use}\0`);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

function withoutBrackets(messageId: string): string {
  return messageId.replace(/^<|>$/g, "");
}
