// Reverse paths (RFC 5321 section 4.4) of a service that forwards: a token in a subaddress.

import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { decodeBase32, encodeBase32 } from "../coding/base32.ts";
import { domainOf, splitAddress } from "./addr-spec.ts";

const purpose = "reverse-path";
/** What each of our reverse paths begins with. */
export const reversePathPrefix = "bounce+";
const idBytes = 16;
const dayBytes = 2;
const tagBytes = 10;
const dayMs = 86_400_000;

/** Five days in our queue, as many in the next hop's, and some for clocks that are wrong. Exported for tests. */
export const lifetimeDays = 14;

/** Derives keys: the current one, and the previous one while it is rotated. */
interface ReversePathKeys {
  signingKeys(purpose: string): readonly [KeyObject, ...KeyObject[]];
}

/**
 * Reverse paths of forwarded mail: `bounce+<token>@SERVICE_DOMAIN`, so that a bounce finds its delivery. The token is the
 * delivery's id, the day it was sent, and 80 bits of HMAC over both: it reveals no real address, cannot be forged, and
 * expires. Base32 in lower case survives systems that change letter case; 52 of 64 octets (RFC 5321
 * section 4.5.3.1.1).
 */
export class ReversePaths {
  readonly #keys: ReversePathKeys;
  readonly #domain: string;

  constructor(keys: ReversePathKeys, serviceDomain: string) {
    this.#keys = keys;
    this.#domain = serviceDomain.toLowerCase();
  }

  /** The envelope sender of a delivery. @param at when it is sent */
  write(deliveryId: string, at: Date): string {
    const payload = Buffer.alloc(idBytes + dayBytes);
    payload.write(deliveryId.replaceAll("-", ""), "hex");
    payload.writeUInt16BE(dayOf(at), idBytes);
    const [key] = this.#keys.signingKeys(purpose);
    return `${reversePathPrefix}${encodeBase32(Buffer.concat([payload, tagOf(key, payload)]))}@${this.#domain}`;
  }

  /** Which delivery a reverse path stands for; undefined if it is not ours, was tampered with, or is too old. */
  read(address: string, now: Date): string | undefined {
    const local = splitAddress(address).localPart.toLowerCase();
    if (domainOf(address) !== this.#domain || !local.startsWith(reversePathPrefix)) return undefined;
    const bytes = decodeBase32(local.slice(reversePathPrefix.length));
    if (bytes?.length !== idBytes + dayBytes + tagBytes) return undefined;
    const payload = bytes.subarray(0, idBytes + dayBytes);
    const isOurs = this.#keys
      .signingKeys(purpose)
      .some((key) => timingSafeEqual(tagOf(key, payload), bytes.subarray(payload.length)));
    const ageDays = dayOf(now) - payload.readUInt16BE(idBytes);
    return isOurs && ageDays >= -1 && ageDays <= lifetimeDays ? asUuid(payload.toString("hex", 0, idBytes)) : undefined;
  }
}

function tagOf(key: KeyObject, payload: Buffer): Buffer {
  return createHmac("sha256", key).update(payload).digest().subarray(0, tagBytes);
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / dayMs);
}

function asUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
