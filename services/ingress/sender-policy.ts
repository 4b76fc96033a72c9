import type { bindingsContract } from "../bindings/contract.ts";
import type { Client } from "../platform/rpc/contract.ts";
import type { AuthorVerdict } from "./authentication/author-verdict.ts";
import type { Examined } from "./authentication/examination.ts";
import type { MailTransaction } from "./mail-transaction.ts";
import { SmtpRefusal } from "./smtp/refusals.ts";

export interface SenderPolicyOptions {
  /** Which local parts are nobody's but the service's. */
  bindings: Pick<Client<typeof bindingsContract>, "isReserved">;
  /** Refuse what fails DMARC where the author's domain asks for it. */
  enforcesDmarc: boolean;
}

/** Which messages are refused for the sake of who is said to have written them. */
export class SenderPolicy {
  readonly #options: SenderPolicyOptions;

  constructor(options: SenderPolicyOptions) {
    this.#options = options;
  }

  /** @throws SmtpRefusal senderIsOurs, senderNotAuthentic or senderUndecided; Outage while bindings cannot be asked */
  async check(examined: Examined, transaction: MailTransaction): Promise<void> {
    if (transaction.isForServiceAlone) return;
    await this.#refuseOwnName(examined);
    if (this.#options.enforcesDmarc) refuseByDmarc(examined);
  }

  async #refuseOwnName({ ownName }: Examined): Promise<void> {
    if (ownName.isUndecided) throw new SmtpRefusal("senderUndecided");
    for (const localPart of new Set(ownName.localParts)) {
      const { isReserved } = await this.#options.bindings.isReserved({ localPart });
      if (isReserved) throw new SmtpRefusal("senderIsOurs");
    }
  }
}

/** One author who passes is enough: the others stand beside a name that is proved, and lose theirs when it is forwarded. */
function refuseByDmarc({ authors, authorVerdicts }: Examined): void {
  if (authorVerdicts.some(({ dmarc }) => dmarc === "pass")) return;
  if (authorVerdicts.some(isUndecided)) throw new SmtpRefusal("senderUndecided");
  // Neither is as RFC 5322 section 3.6.2 wants it, or common: it needs somebody who vouches for it.
  const isOdd = authors.isUnreadable || authors.fieldCount > 1 || authorVerdicts.length > 1;
  if (isOdd || authorVerdicts.some(isUnwanted)) throw new SmtpRefusal("senderNotAuthentic");
}

function isUnwanted({ dmarc, policy, isPolicyInForce }: AuthorVerdict): boolean {
  return dmarc === "fail" && policy === "reject" && isPolicyInForce;
}

/** Whether the answer that is missing would decide. */
function isUndecided(verdict: AuthorVerdict): boolean {
  return verdict.dmarc === "temperror" || (isUnwanted(verdict) && verdict.proof === "unknown");
}
