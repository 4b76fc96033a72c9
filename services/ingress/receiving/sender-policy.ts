import type { bindingsContract } from "../../bindings/contract.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { AuthorVerdict } from "../authentication/author-verdict.ts";
import type { MessageAuthentication } from "../authentication/message-authenticator.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import { isAnswering, type MailTransaction } from "./mail-transaction.ts";

interface SenderPolicyOptions {
  /** Tells which local parts only the service itself writes from. */
  bindings: Pick<Client<typeof bindingsContract>, "isAnyReserved">;
  /** DMARC_ENFORCE. */
  enforcesDmarc: boolean;
}

/** Refuses messages because of their authors: forged in our name, or by DMARC. */
export class SenderPolicy {
  readonly #options: SenderPolicyOptions;

  constructor(options: SenderPolicyOptions) {
    this.#options = options;
  }

  /**
   * Discards the emails that owners could answer, where an author is forged: From of those is rewritten, which would
   * launder the forgery.
   * @throws SmtpRefusal senderIsOurs, senderNotAuthentic (if no email is left) or senderUndecided; Outage while bindings cannot be asked
   */
  async check(authentication: MessageAuthentication, transaction: MailTransaction): Promise<void> {
    if (transaction.isForServiceAlone) return;
    await this.#refuseOwnName(authentication);
    if (this.#options.enforcesDmarc) refuseByDmarc(authentication);
    if (!transaction.emails.some(isAnswering) || !isForged(authentication)) return;
    transaction.discard(isAnswering, "forged");
    if (transaction.emails.length === 0) throw new SmtpRefusal("senderNotAuthentic");
  }

  async #refuseOwnName({ ownName }: MessageAuthentication): Promise<void> {
    if (ownName.isUndecided) throw new SmtpRefusal("senderUndecided");
    const localParts = [...new Set(ownName.localParts)];
    if (localParts.length === 0) return;
    // One call, however many there are: whoever wrote the message chose how many.
    const { isReserved } = await this.#options.bindings.isAnyReserved({ localParts });
    if (isReserved) throw new SmtpRefusal("senderIsOurs");
  }
}

/** RFC 9989 section 7. One author who passes is enough; From of such a message is replaced when it is forwarded. */
function refuseByDmarc({ authors, authorVerdicts }: MessageAuthentication): void {
  if (authorVerdicts.some(({ dmarc }) => dmarc === "pass")) return;
  if (authorVerdicts.some(isUndecided)) throw new SmtpRefusal("senderUndecided");
  // Against RFC 5322 section 3.6.2, or very rare: accepted only if an author is proved.
  const isOdd = authors.isUnreadable || authors.fieldCount > 1 || authorVerdicts.length > 1;
  if (isOdd || authorVerdicts.some(isUnwanted)) throw new SmtpRefusal("senderNotAuthentic");
}

/**
 * Whether the domain of any author certainly asks for a refusal, whatever its pct. What DNS cannot tell is forwarded with a mark
 * (forwarder, isUnverified). @throws SmtpRefusal senderUndecided
 */
function isForged({ authorVerdicts }: MessageAuthentication): boolean {
  const rejected = authorVerdicts.filter(({ dmarc, policy }) => dmarc === "fail" && policy === "reject");
  if (rejected.some(({ proof }) => proof === "unknown")) throw new SmtpRefusal("senderUndecided");
  return rejected.length > 0;
}

function isUnwanted({ dmarc, policy, isPolicyInForce }: AuthorVerdict): boolean {
  return dmarc === "fail" && policy === "reject" && isPolicyInForce;
}

/** Whether a lookup failed temporarily that could change the result. */
function isUndecided(verdict: AuthorVerdict): boolean {
  return verdict.dmarc === "temperror" || (isUnwanted(verdict) && verdict.proof === "unknown");
}
