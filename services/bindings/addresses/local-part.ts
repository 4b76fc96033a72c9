/** RFC 5321 section 4.5.3.1.1, in octets of UTF-8 (RFC 6531 section 3.3). */
const maxLocalPartOctets = 64;

/**
 * An atom of atext and, by RFC 6531 section 3.3, of non-ASCII letters, marks, numbers, punctuation and symbols: no spaces,
 * controls, unpaired surrogates or invisible characters.
 */
const atom = /^(?:[\w!#$%&'*+/=?^`{|}~-]|(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{P}\p{S}])+$/u;

const quotedString = /^"(?:[^"\\]|\\.)*"$/;

/** What is wrong with a local part; undefined if nothing is. */
export function localPartFault(localPart: string): string | undefined {
  if (Buffer.byteLength(localPart) > maxLocalPartOctets) {
    return `has more than ${maxLocalPartOctets} octets before the @`;
  }
  // RFC 5321 section 4.1.2 advises against mailboxes that need quotes, and much software mishandles the spaces, @ and
  // brackets in them: they are neither issued nor forwarded to.
  if (localPart.startsWith('"')) return "has a quoted part before the @, which is not supported";
  // Dot-string (RFC 5321 section 4.1.2)
  const isDotString = localPart.split(".").every((part) => atom.test(part));
  return isDotString ? undefined : "is no valid email address: check the part before the @";
}

/** Needless quotes carry no meaning (RFC 5321 section 4.1.2): `"alice"` is alice. */
export function withoutNeedlessQuotes(localPart: string): string {
  return quotedString.test(localPart) ? localPart.slice(1, -1).replaceAll(/\\(.)/g, "$1") : localPart;
}

/** Local parts with the same key are the same: case-mapped, in NFC (UsernameCaseMapped, RFC 8265 section 3.3). */
export function localPartKey(localPart: string): string {
  return localPart.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * The local part without its subaddress (RFC 5233 section 4), which begins at the first "+" that is not the first character.
 */
export function withoutSubaddress(localPart: string): string {
  const plus = localPart.indexOf("+", 1);
  return plus < 0 ? localPart : localPart.slice(0, plus);
}
