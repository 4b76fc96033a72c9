const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Larger messages and texts are worked on in a worker. */
export const inlineBytes = 256 * kibibyte;

/** How much of a message is parsed, stored and shown, and at what cost. */
export interface ContentLimits {
  /** Of a payload as JSON. */
  readonly payloadBytes: number;
  /** Stored of each body, in UTF-8. A payload has up to four texts of that length. */
  readonly textBytes: number;
  /** Stored of the header section, in UTF-8. A payload has the headers twice, and escapes can lengthen them sevenfold. */
  readonly headerBytes: number;
  /** Steps of one conversion of HTML, a step being a tag, an attribute or a text between them. What is left then is converted crudely. */
  readonly htmlSteps: number;
  /** Read of a message whose parsing exceeded its budget. */
  readonly reducedBytes: number;
  /** Shown of each body of an email whose payload exceeded its budget. */
  readonly reducedTextCharacters: number;
}

/** @param payloadLimitMb PAYLOAD_LIMIT_MB */
export function contentLimits(payloadLimitMb: number): ContentLimits {
  const payloadBytes = payloadLimitMb * mebibyte;
  return {
    payloadBytes,
    textBytes: payloadBytes / 4,
    headerBytes: Math.min(256 * kibibyte, payloadBytes / 16),
    htmlSteps: 500_000,
    reducedBytes: 256 * kibibyte,
    reducedTextCharacters: 64 * kibibyte,
  };
}
