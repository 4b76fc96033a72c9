import { encode, wrap } from "nodemailer/lib/qp";

/**
 * Text in quoted-printable (RFC 2045 section 6.7). Its line ends are CRLF, whatever they were: a line feed or carriage return alone would
 * stand in the open, and such a message is sent by nobody. @param bytes in a charset whose characters below 128 are those of ASCII
 */
export function quotedPrintableText(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1").replaceAll(/\r\n?|\n/g, "\r\n");
  return Buffer.from(wrap(encode(Buffer.from(text, "latin1")), 76), "latin1");
}
