import { randomBytes } from "node:crypto";

const consonants = "bdfghjklmnprstvz";
const vowels = "aiou";

/**
 * 64 random bits as four proquints (Wilkerson, "Proquints: Readable, Spellable, Pronounceable Identifiers", 2009), such as
 * `lusab-babad-gutih-tugad`: 23 characters that are easy to read out and to type. 64 bits because 48 could be guessed:
 * a harvester that tries a million addresses a second against a million live ones finds its first after half a year.
 */
export function generateLocalPart(random: Buffer = randomBytes(8)): string {
  const words: string[] = [];
  for (let at = 0; at < random.length; at += 2) words.push(proquint(random.readUInt16BE(at)));
  return words.join("-");
}

/** 16 bits as consonant, vowel, consonant, vowel, consonant: 4 + 2 + 4 + 2 + 4. */
function proquint(bits: number): string {
  const consonant = (shift: number) => consonants.charAt((bits >> shift) & 0xf);
  const vowel = (shift: number) => vowels.charAt((bits >> shift) & 0x3);
  return consonant(12) + vowel(10) + consonant(6) + vowel(4) + consonant(0);
}
