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
  /** ARC_TRUSTED_SEALERS. */
  trustedSealers: readonly string[];
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
   * @throws SmtpRefusal senderIsOurs, senderNotAuthentic, authorsNotAuthentic or senderUndecided; Outage while bindings cannot be asked
   */
  async check(authentication: MessageAuthentication, transaction: MailTransaction): Promise<void> {
    if (transaction.isForServiceAlone) return;
    await this.#refuseOwnName(authentication);
    if (this.#isVouchedFor(authentication)) return;
    if (this.#options.enforcesDmarc) refuseByDmarc(authentication);
    if (!transaction.emails.some(isAnswering) || !isForged(authentication)) return;
    transaction.discard(isAnswering, "forged");
    if (transaction.emails.length === 0) throw new SmtpRefusal("senderNotAuthentic");
  }

  /**
   * Whether a sealer that the operator trusts says that DMARC passed for the author (RFC 8617 section 7.2.1), as of a list that changes what
   * it passes on. For one author alone: what is added beside is covered by no seal.
   */
  #isVouchedFor({ vouching, authors, authorVerdicts }: MessageAuthentication): boolean {
    if (!vouching || !this.#options.trustedSealers.includes(vouching.sealer)) return false;
    const [author, ...others] = authorVerdicts;
    return (
      author?.domain === vouching.author && others.length === 0 && authors.fieldCount === 1 && !authors.isUnreadable
    );
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

/**
 * RFC 9989 section 7. An author who passes speaks for nobody else: whoever owns a domain would write in another's name beside it.
 * @throws SmtpRefusal
 */
function refuseByDmarc({ authors, authorVerdicts }: MessageAuthentication): void {
  const unwanted = authorVerdicts.filter(isUnwanted);
  if (unwanted.some(({ proof }) => proof !== "unknown")) throw new SmtpRefusal("senderNotAuthentic");
  if (unwanted.length > 0 || authorVerdicts.some(({ dmarc }) => dmarc === "temperror"))
    throw new SmtpRefusal("senderUndecided");
  // Against RFC 5322 section 3.6.2, or very rare: accepted only if an author is proved. From is replaced when it is forwarded.
  const isOdd = authors.isUnreadable || authors.fieldCount > 1 || authorVerdicts.length > 1;
  if (isOdd && !authorVerdicts.some(({ dmarc }) => dmarc === "pass")) throw new SmtpRefusal("authorsNotAuthentic");
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
