import type { bindingsContract } from "../../bindings/contract.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { AuthorVerdict } from "../authentication/author-verdict.ts";
import type { MessageAuthentication } from "../authentication/message-authenticator.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import type { MailTransaction } from "./mail-transaction.ts";

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

  /** @throws SmtpRefusal senderIsOurs, senderNotAuthentic or senderUndecided; Outage while bindings cannot be asked */
  async check(authentication: MessageAuthentication, transaction: MailTransaction): Promise<void> {
    if (transaction.isForServiceAlone) return;
    await this.#refuseOwnName(authentication);
    if (this.#options.enforcesDmarc) refuseByDmarc(authentication);
    else if (transaction.hasAnsweringRecipient) refuseForgeries(authentication);
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
 * From of what an owner can answer is rewritten, which would launder a forgery: where the author's domain certainly asks for it, such
 * mail is refused. What DNS cannot tell is forwarded with a mark (forwarder, isUnverified).
 */
function refuseForgeries({ authorVerdicts }: MessageAuthentication): void {
  if (authorVerdicts.some(({ dmarc }) => dmarc === "pass")) return;
  const unwanted = authorVerdicts.filter(isUnwanted);
  if (unwanted.length === 0) return;
  throw new SmtpRefusal(unwanted.some(isUndecided) ? "senderUndecided" : "senderNotAuthentic");
}

function isUnwanted({ dmarc, policy, isPolicyInForce }: AuthorVerdict): boolean {
  return dmarc === "fail" && policy === "reject" && isPolicyInForce;
}

/** Whether a lookup failed temporarily that could change the result. */
function isUndecided(verdict: AuthorVerdict): boolean {
  return verdict.dmarc === "temperror" || (isUnwanted(verdict) && verdict.proof === "unknown");
}
