import type { Texts } from "../texts/english/index.ts";

interface Authored {
  readonly fromName: string | null;
  readonly fromAddress: string | null;
  /** Of the envelope. */
  readonly sender: string;
}

interface Titled {
  readonly subject: string | null;
  /** Of an email that only was forwarded nothing is known of its content. */
  readonly isKept: boolean;
}

interface Addressed {
  /** The proxy address. */
  readonly recipient: string;
  readonly envelopeRecipient: string | null;
}

/** The name in From, or the address; the envelope's sender where From is not known. */
export function whoOf({ fromName, fromAddress, sender }: Authored, { bounce }: Texts["inbox"]): string {
  return fromName || fromAddress || sender || bounce;
}

/** The subject, or what is said where there is none. */
export function subjectOf({ subject, isKept }: Titled, { noSubject, notKept }: Texts["inbox"]): string {
  return subject || (isKept ? noSubject : notKept);
}

/** The address that an email was sent to. */
export function recipientOf(email: Addressed): string {
  return otherRecipientOf(email) ?? email.recipient;
}

/** The address that an email was sent to where that is another than its proxy address but for the domain: one with a tag. */
export function otherRecipientOf({ recipient, envelopeRecipient }: Addressed): string | undefined {
  if (envelopeRecipient === null || localPartOf(envelopeRecipient) === localPartOf(recipient)) return undefined;
  return envelopeRecipient;
}

/** The sender's letter case and form of the domain are not of interest. */
function localPartOf(address: string): string {
  return address.slice(0, address.lastIndexOf("@")).toLowerCase();
}
