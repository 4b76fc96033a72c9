// Reverse addresses: whoever writes to one from a real address of its binding reaches a contact, who sees the proxy address alone.

import { randomBytes } from "node:crypto";
import { encodeBase32 } from "../coding/base32.ts";
import { splitAddress } from "./addr-spec.ts";

const tokenCharacters = 26;
const prefix = "re+";
const mentioned = /re\+[a-z2-7]{26}@/i;
/** What a mention of one has at least. */
export const reverseMentionCharacters = prefix.length + tokenCharacters + 1;
const localPartPattern = /^re\+([a-z2-7]{26})$/i;
/** The reverse addresses that a text mentions, in any letter case. */
export const reverseAddressPattern = /re\+[a-z2-7]{26}@[\p{L}\p{N}.-]*[\p{L}\p{N}]/giu;

export function mentionsReverseAddress(text: string): boolean {
  return mentioned.test(text);
}

/** 130 random bits in base32. */
export function newReverseToken(): string {
  return encodeBase32(randomBytes(17)).slice(0, tokenCharacters);
}

export function formatReverseAddress(token: string, domain: string): string {
  return `${prefix}${token}@${domain}`;
}

/** The token in lower case; undefined where the address is not exactly of this form: `re@` and `re+tag@` are ordinary addresses. */
export function reverseToken(address: string): string | undefined {
  return localPartPattern.exec(splitAddress(address).localPart)?.[1]?.toLowerCase();
}
