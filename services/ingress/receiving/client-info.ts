import type { SMTPServerSession } from "smtp-server";

/** The client and its session, at DATA. */
export interface ClientInfo {
  readonly address: string;
  /** What HELO or EHLO said, unproved. */
  readonly name: string;
  /** The "with" of a Received field (RFC 3848, RFC 6531 section 4.3). */
  readonly protocol: string;
  /** TLS version and cipher suite; "" without TLS. */
  readonly tls: string;
  readonly isSmtpUtf8: boolean;
  readonly isEightBitMime: boolean;
}

export function clientInfo(session: SMTPServerSession): ClientInfo {
  const { envelope, tlsOptions, transmissionType } = session;
  const isSmtpUtf8 = envelope.smtpUtf8 === true;
  return {
    address: session.remoteAddress,
    name: session.hostNameAppearsAs,
    protocol: isSmtpUtf8 ? transmissionType.replace(/^ESMTP/, "UTF8SMTP") : transmissionType,
    tls: tlsOptions ? `${tlsOptions.version} ${tlsOptions.standardName}` : "",
    isSmtpUtf8,
    isEightBitMime: envelope.bodyType === "8bitmime",
  };
}
