import { domainOf, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { areAligned, organisationalDomain } from "../../platform/net/organisational-domain.ts";
import type { VerificationResult } from "./verify-message.ts";

/** A DKIM signature as it was verified. */
export interface VerifiedSignature {
  /** In lower case. */
  readonly domain: string;
  /** pass, fail, temperror … */
  readonly result: string;
  /** Only a beginning of the body is signed (`l=`): anything may follow. */
  readonly isBodyLimited: boolean;
  readonly isTimeValid: boolean;
  /** Names of the fields that are signed, in lower case, each as often as it is. */
  readonly signedNames: readonly string[];
}

/** unknown: a lookup failed temporarily that could have proved it. */
type Proof = "proved" | "unproved" | "unknown";

export function signaturesOf({ dkim }: VerificationResult): VerifiedSignature[] {
  return dkim.results.flatMap((found) => {
    const { signingDomain, status, canonBodyLengthLimited, signatureTimeValid, signingHeaders } =
      found as typeof found & {
        canonBodyLengthLimited?: boolean;
        signatureTimeValid?: boolean;
        signingHeaders?: { headers?: readonly string[] };
      };
    if (!signingDomain) return [];
    return [
      {
        domain: signingDomain.toLowerCase().replace(/\.$/, ""),
        result: status.result,
        isBodyLimited: canonBodyLengthLimited !== false,
        isTimeValid: signatureTimeValid !== false,
        signedNames: (signingHeaders?.headers ?? []).map((line) => (line.split(":", 1)[0] ?? "").trim().toLowerCase()),
      },
    ];
  });
}

/**
 * Whether a signature proves who wrote a message: all of its body and the fields named, by the author's own domain or a parent of it
 * within its organisation, never by a child, a sibling or a public suffix.
 * @param names of the fields that must be signed, in lower case
 */
export function dkimProof(author: string, signatures: readonly VerifiedSignature[], names: readonly string[]): Proof {
  const domain = domainOf(withAsciiDomain(author));
  const related = signatures.filter((signature) => mayProve(signature.domain, domain) && !signature.isBodyLimited);
  const isProved = related.some(
    ({ result, isTimeValid, signedNames }) =>
      result === "pass" && isTimeValid && names.every((name) => signedNames.includes(name)),
  );
  if (isProved) return "proved";
  return related.some(({ result }) => result === "temperror") ? "unknown" : "unproved";
}

function mayProve(signer: string, author: string): boolean {
  const isSameOrParent = signer === author || author.endsWith(`.${signer}`);
  const organisation = organisationalDomain(author);
  return isSameOrParent && (signer === organisation || signer.endsWith(`.${organisation}`));
}

/** Whether SPF passed for the author's organisation. */
export function spfProof(author: string, spf: { readonly domain: string; readonly result: string } | undefined): Proof {
  if (!spf || !areAligned(domainOf(withAsciiDomain(author)), spf.domain)) return "unproved";
  if (spf.result === "pass") return "proved";
  return spf.result === "temperror" ? "unknown" : "unproved";
}
