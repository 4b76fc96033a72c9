/** What is kept of an answer, or of mail that its owner composed, until it is settled. */
export interface AnswerContent {
  readonly emailId: string;
  readonly rawId: string;
  readonly sizeBytes: number;
  readonly direction: "answer" | "send";
  readonly ownerId: string;
  readonly bindingId: string;
  readonly proxyAddress: string;
  readonly displayName: string;
  /** The real address that wrote it: what comes back goes there. */
  readonly author: string;
  readonly recipients: readonly AnswerContact[];
  /** Contacts that To and Cc name. */
  readonly named: readonly AnswerContact[];
  /** What must not be in what leaves. */
  readonly realAddresses: readonly string[];
  readonly sendsEncrypted: boolean;
  readonly hopCount: number;
  /** Its owner lets a real address leave in what it quotes, as whoever wrote it there did. */
  readonly namesKept?: boolean;
  /**
   * The contacts that its text names, as they were when it was searched and let go: what leaves is that message at every attempt and in every
   * copy, whoever is removed meanwhile.
   */
  readonly mentioned?: readonly MentionedContact[];
}

export interface MentionedContact {
  readonly token: string;
  readonly address: string;
}

export interface AnswerContact {
  readonly contactId: string;
  readonly address: string;
  readonly reverseAddress: string;
}
