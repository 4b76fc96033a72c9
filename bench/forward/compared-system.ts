/** A mail server that forwards one address to another by way of a relay: what is measured. */
export interface ComparedSystem {
  readonly name: string;
  readonly smtpPort: number;
  /** Of its further processes that take mail, each of which gets its share. */
  readonly furtherSmtpPorts?: readonly number[];
  /** The address that it forwards. */
  readonly recipient: string;
  /** The processes that it was started as; all that descend from them are its own. */
  readonly rootPids: readonly number[];
  stop(): Promise<void>;
}

/** Whether what is forwarded is signed on its way. */
export type Signing = "off" | "on";
