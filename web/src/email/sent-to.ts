interface SentEmail {
  /** The proxy address. */
  readonly recipient: string;
  readonly envelopeRecipient: string | null;
}

/** The address that an email was sent to where that is another than its proxy address but for the domain: one with a tag. */
export function otherRecipientOf({ recipient, envelopeRecipient }: SentEmail): string | undefined {
  if (envelopeRecipient === null || localPartOf(envelopeRecipient) === localPartOf(recipient)) return undefined;
  return envelopeRecipient;
}

/** The sender's letter case and form of the domain are not of interest. */
function localPartOf(address: string): string {
  return address.slice(0, address.lastIndexOf("@")).toLowerCase();
}
