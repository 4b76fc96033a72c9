/** A message's octets without NUL, which may stand in one of BINARYMIME alone (RFC 3030, RFC 5321 section 4.5.2). */
export function withoutNul(octets: Buffer): Buffer {
  if (!octets.includes(0)) return octets;
  const { buffer, byteOffset, length } = octets.filter((octet) => octet !== 0);
  return Buffer.from(buffer, byteOffset, length);
}
