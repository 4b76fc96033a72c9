/** Sender and recipient as MAIL and RCPT have them: addresses without brackets, the sender empty for a bounce. */
export interface SmtpEnvelope {
  sender: string;
  recipient: string;
  /** Addresses or headers are beyond ASCII (RFC 6531). */
  smtpUtf8: boolean;
  eightBitMime: boolean;
}

/** A whole message: in memory if it is small, else read as it is sent, so that its size costs no memory. */
export interface MessageContent {
  readonly sizeBytes: number;
  /** May be called again for another attempt. @throws Outage, or Refusal NotFound when the bytes were deleted */
  open(): Promise<readonly Buffer[] | AsyncIterable<Buffer>>;
}

export interface OutboundMessage {
  deliveryId: string;
  envelope: SmtpEnvelope;
  content: MessageContent;
}

/** What one attempt came to. `deferred` may succeed later, `failed` never will. */
export interface SendResult {
  kind: "delivered" | "deferred" | "failed";
  /** The remote server's answer, or what went wrong before there was one; one line. */
  response: string;
  /** Name and address of the server; empty when none was reached. */
  remote: string;
}

/** How mail leaves: see OUTBOUND. */
export interface Transport {
  /** Deliveries to one organisational domain at once; more of them wait without being claimed. */
  readonly maxPerDomain: number;
  /** Deliveries for one account at once. */
  readonly maxPerOwner: number;
  /** Destinations and the sessions that are busy there, for metrics. */
  busySessions(): Iterable<readonly [destination: string, busyCount: number]>;
  /**
   * Makes one attempt. A failure of the remote server is a result, never thrown.
   * @throws Outage or Refusal of `content`, or Outage of our own: not an attempt
   */
  send(message: OutboundMessage): Promise<SendResult>;
  /** Once nothing is being sent. */
  close(): Promise<void>;
}
