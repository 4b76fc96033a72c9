import type { VerificationResult } from "./verify-message.ts";

/** What a forwarder or a list says of a message by ARC: for whom DMARC passed when it came there. */
export interface Vouching {
  /** Who sealed it last, in lower case. */
  readonly sealer: string;
  /** The author's domain, in lower case. */
  readonly author: string;
}

/** Undefined without a valid chain (RFC 8617 section 5.2), or where its newest set has no DMARC that passed. */
export function vouchingOf({ arc, dkim }: VerificationResult): Vouching | undefined {
  if (arc.status.result !== "pass") return undefined;
  // The seal's domain: it answers for the results, as the one of ARC-Message-Signature does not.
  const sealer = dkim.arc?.lastEntry?.["arc-seal"]?.parsed?.["d"]?.value;
  const dmarc: unknown = arc.authenticationResults?.["dmarc"];
  const author = dmarcAuthor(dmarc);
  return typeof sealer === "string" && author !== undefined ? { sealer: sealer.toLowerCase(), author } : undefined;
}

/** mailauth makes objects of what a sealer wrote: their members may be of any kind. */
function dmarcAuthor(dmarc: unknown): string | undefined {
  if (!isObject(dmarc) || dmarc["result"] !== "pass" || !isObject(dmarc["header"])) return undefined;
  const { from } = dmarc["header"];
  return typeof from === "string" ? from.toLowerCase() : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
