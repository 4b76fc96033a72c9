/** Who it is from and to, as MAIL and RCPT say it: addresses without brackets, the sender empty for a bounce. */
export interface Envelope {
  sender: string;
  recipient: string;
  /** Addresses or headers are beyond ASCII (RFC 6531). */
  smtpUtf8: boolean;
  eightBitMime: boolean;
}

/** A whole message: in memory if it is small, else read as it is sent, so that its size costs no memory. */
export interface Content {
  readonly sizeBytes: number;
  /** May be called again for another attempt. @throws Outage, or Refusal NotFound when the bytes are gone */
  open(): Promise<readonly Buffer[] | AsyncIterable<Buffer>>;
}

export interface Parcel {
  deliveryId: string;
  envelope: Envelope;
  content: Content;
}

/** What one attempt came to. `deferred` may pass later, `failed` never will. */
export interface Outcome {
  kind: "delivered" | "deferred" | "failed";
  /** The remote server's answer, or what went wrong before there was one; one line. */
  response: string;
  /** Name and address of the server; empty when none was reached. */
  remote: string;
}

/** A way out of the house. */
export interface Transport {
  /** Deliveries to one domain at once; whatever else is due there waits without being claimed. */
  readonly perDomain: number;
  /** Destinations and the sessions that are busy there, for metrics. */
  destinations(): Iterable<readonly [destination: string, busyCount: number]>;
  /**
   * Makes one attempt. A peer's failure is an outcome, never thrown.
   * @throws Outage or Refusal of `content`, or Outage of our own: not an attempt
   */
  send(parcel: Parcel): Promise<Outcome>;
  /** Once nothing is being sent. */
  close(): Promise<void>;
}
