// Content-Transfer-Encoding: RFC 2045 section 6.

import { Base64Decoder } from "./base64.ts";
import { type ByteDecoder, IdentityDecoder } from "./decoder.ts";
import { QuotedPrintableDecoder } from "./quoted-printable.ts";
import { UuencodeDecoder } from "./uuencode.ts";

/** @param encoding in lower case, without comments */
export function transferDecoder(encoding: string): ByteDecoder {
  switch (encoding) {
    case "base64":
      return new Base64Decoder();
    case "quoted-printable":
      return new QuotedPrintableDecoder();
    case "x-uuencode":
    case "x-uue":
    case "uuencode":
      return new UuencodeDecoder();
    default:
      return new IdentityDecoder();
  }
}
