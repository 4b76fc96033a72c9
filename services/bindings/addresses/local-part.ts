/** RFC 5321 section 4.5.3.1.1; in octets, which with UTF-8 are more than the characters (RFC 6531 section 3.3). */
const longestLocalPartOctets = 64;

/**
 * An atom of atext or, by RFC 6531 section 3.3, of what is not ASCII. Of that only what is seen: no spaces, controls,
 * unpaired surrogates, nor the invisible characters that make two addresses look alike.
 */
const atom = /^(?:[\w!#$%&'*+/=?^`{|}~-]|(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{P}\p{S}])+$/u;

const quotedString = /^"(?:[^"\\]|\\.)*"$/;

/** What is wrong with a local part; undefined if nothing is. */
export function localPartFault(localPart: string): string | undefined {
  if (Buffer.byteLength(localPart) > longestLocalPartOctets) {
    return `has more than ${longestLocalPartOctets} octets before the @`;
  }
  // RFC 5321 section 4.1.2 advises against mailboxes that need quotes; many a program on the way would mistake the
  // spaces, @ and brackets in them for something else, so they are neither given out nor forwarded to.
  if (localPart.startsWith('"')) return "has a quoted part before the @, which is not supported";
  // Dot-string (RFC 5321 section 4.1.2)
  const isDotString = localPart.split(".").every((part) => atom.test(part));
  return isDotString ? undefined : "is no valid email address: check the part before the @";
}

/** Quotes that are not needed mean nothing (RFC 5321 section 4.1.2): `"alice"` is alice. */
export function withoutNeedlessQuotes(localPart: string): string {
  return quotedString.test(localPart) ? localPart.slice(1, -1).replaceAll(/\\(.)/g, "$1") : localPart;
}

/** How local parts are compared: case-mapped and in NFC, as usernames are (UsernameCaseMapped, RFC 8265 section 3.3). */
export function localPartKey(localPart: string): string {
  return localPart.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * The part before the first "+" (the separator of RFC 5233 section 4 as most sites have it); itself when there is none.
 * A leading "+" separates nothing.
 */
export function withoutSubaddress(localPart: string): string {
  const plus = localPart.indexOf("+", 1);
  return plus < 0 ? localPart : localPart.slice(0, plus);
}
