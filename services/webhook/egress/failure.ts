import { errorCode } from "../../platform/errors.ts";
/** Why no response came: one sentence for the callback's owner, which reveals nothing of the internal network. */
export class AttemptFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = "AttemptFailure";
  }
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The target refused the connection.",
  ECONNRESET: "The target closed the connection before it had answered.",
  EPIPE: "The target closed the connection before it had answered.",
  ETIMEDOUT: "The target did not take the connection in time.",
  ENETUNREACH: "The target's network cannot be reached.",
  EHOSTUNREACH: "The target cannot be reached.",
  EADDRNOTAVAIL: "The target cannot be reached.",
  HPE_HEADER_OVERFLOW: "The target's answer has too large a header.",
};

/** Says in a sentence what a connection or a request broke off with. */
export function failureOf(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  const code = errorCode(error);
  return new AttemptFailure(sentences[code] ?? sentenceByKind(code), error);
}

function sentenceByKind(code: string): string {
  if (code.startsWith("HPE_")) return `The target's answer is not HTTP (${code}).`;
  // Node hands OpenSSL's verification results on as codes without a prefix of their own.
  if (
    /^(ERR_TLS|ERR_SSL|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA)/.test(
      code,
    )
  )
    return `No secure connection to the target came about (${code}).`;
  return `The connection to the target failed${code ? ` (${code})` : ""}.`;
}
