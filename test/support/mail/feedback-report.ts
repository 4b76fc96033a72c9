/** What a provider says of a message that one of its users complained about (RFC 5965). */
export interface ReportedMail {
  readonly original: string;
  readonly mailFrom?: string;
  readonly recipient?: string;
  readonly type?: string;
}

/** A feedback report as a message. */
export function feedbackReport({ original, mailFrom, recipient, type = "abuse" }: ReportedMail): string {
  return [
    "From: <fbl@provider.example>",
    "Subject: FW: complaint",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="arf"',
    ...["", "--arf", "Content-Type: text/plain", "", "A user complained about this message.", "--arf"],
    ...[
      "Content-Type: message/feedback-report",
      "",
      `Feedback-Type: ${type}`,
      "User-Agent: Provider/1.0",
      "Version: 1",
    ],
    ...(mailFrom === undefined ? [] : [`Original-Mail-From: <${mailFrom}>`]),
    ...(recipient === undefined ? [] : [`Original-Rcpt-To: <${recipient}>`]),
    ...["", "--arf", "Content-Type: message/rfc822", "", original, "--arf--", ""],
  ].join("\r\n");
}
