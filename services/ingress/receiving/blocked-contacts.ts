import type { bindingsContract } from "../../bindings/contract.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Authors } from "../authentication/authors.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import type { Author } from "./author.ts";
import type { MailTransaction } from "./mail-transaction.ts";

/** Addresses of authors that are looked at. */
const addressLimit = 100;

/** Keeps mail of contacts that a binding has blocked from it. */
export class BlockedContacts {
  readonly #bindings: Pick<Client<typeof bindingsContract>, "blockedBy">;

  constructor(bindings: Pick<Client<typeof bindingsContract>, "blockedBy">) {
    this.#bindings = bindings;
  }

  /**
   * Discards the emails whose bindings have blocked an author or the envelope sender. bindings is asked only if one of
   * the routes has blocked anybody.
   * @throws SmtpRefusal senderBlocked if none is left; Outage
   */
  async exclude(transaction: MailTransaction, authors: Authors, author: Author | undefined): Promise<void> {
    const bindingIds = transaction.emails.flatMap(({ recipient }) =>
      recipient.kind === "binding" && recipient.route.hasBlockedContacts ? [recipient.route.bindingId] : [],
    );
    if (bindingIds.length === 0) return;
    const named = authors.addresses.map(({ localPart, domain }) => `${localPart}@${domain}`);
    // Whoever wrote the message chose how many authors it has: those before them cannot be pushed out.
    const addresses = [transaction.envelopeSender, author?.address ?? "", ...named].filter((each) => each !== "");
    const blocking = await this.#bindings.blockedBy({ bindingIds, addresses: addresses.slice(0, addressLimit) });
    transaction.discard(
      ({ recipient }) => recipient.kind === "binding" && blocking.includes(recipient.route.bindingId),
      "sender-blocked",
    );
    if (transaction.emails.length === 0) throw new SmtpRefusal("senderBlocked");
  }
}
