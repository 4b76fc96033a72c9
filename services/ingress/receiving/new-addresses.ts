import type { bindingsContract } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import type { MailTransaction } from "./mail-transaction.ts";
import type { Recipient } from "./recipients.ts";

/** Holds accounts' own domains to the number of new addresses that their patterns may take. */
export class NewAddresses {
  readonly #bindings: Pick<Client<typeof bindingsContract>, "reserveNewAddresses">;

  constructor(bindings: Pick<Client<typeof bindingsContract>, "reserveNewAddresses">) {
    this.#bindings = bindings;
  }

  /**
   * Refuses an address that its domain does not take beside those of the transaction: at DATA the whole message would be deferred, again and
   * again.
   * @throws SmtpRefusal tooManyNewAddresses
   */
  checkQuota(transaction: MailTransaction, recipient: Recipient): void {
    const wanted = newAddressOf(recipient);
    if (!wanted) return;
    const others = new Set(
      transaction.emails.flatMap((email) => {
        const other = newAddressOf(email.recipient);
        return other?.domainId === wanted.domainId && other.bindingId !== wanted.bindingId ? [other.bindingId] : [];
      }),
    );
    if (others.size >= wanted.remaining) throw new SmtpRefusal("tooManyNewAddresses");
  }

  /** Counts those of a message that is about to be accepted. @throws SmtpRefusal tooManyNewAddresses, Outage */
  async count({ emails }: MailTransaction): Promise<void> {
    const addresses = emails.flatMap(({ recipient }) => {
      const wanted = newAddressOf(recipient);
      return wanted ? [{ bindingId: wanted.bindingId, domainId: wanted.domainId, perHour: wanted.perHour }] : [];
    });
    if (addresses.length === 0) return;
    try {
      await this.#bindings.reserveNewAddresses({ addresses });
    } catch (error) {
      if (error instanceof Refusal && error.kind === "RateLimited") throw new SmtpRefusal("tooManyNewAddresses");
      throw error;
    }
  }
}

function newAddressOf(recipient: Recipient) {
  if (recipient.kind !== "binding" || !recipient.route.newAddress) return undefined;
  return { ...recipient.route.newAddress, bindingId: recipient.route.bindingId };
}
