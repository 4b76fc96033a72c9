import { networkOf } from "../../platform/net/ip-address.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";

interface MailLimitsOptions {
  perClient: number;
  perBinding: number;
  /** Clients without limits; their messages count towards no binding's limit either. */
  isExempt(address: string): boolean;
}

/** Limits on messages per minute, per client and per binding, counted over all replicas. */
export class MailLimits {
  readonly #clients: Limit;
  readonly #bindings: Limit;
  readonly #isExempt: (address: string) => boolean;

  constructor(limits: Limits, { perClient, perBinding, isExempt }: MailLimitsOptions) {
    this.#clients = limits.limit({ name: "smtp-client", points: perClient, windowS: 60 });
    this.#bindings = limits.limit({ name: "smtp-binding", points: perBinding, windowS: 60 });
    this.#isExempt = isExempt;
  }

  /** Counts a message of a client, or a recipient that it was refused. @throws SmtpRefusal tooManyMessages. */
  async countMessage(client: string): Promise<void> {
    if (this.#isExempt(client)) return;
    const { isAllowed } = await this.#clients.consume(networkOf(client));
    if (!isAllowed) throw new SmtpRefusal("tooManyMessages");
  }

  /** Counts a message to a binding. @throws SmtpRefusal recipientTooBusy. */
  async countRecipient(client: string, bindingId: string): Promise<void> {
    if (this.#isExempt(client)) return;
    const { isAllowed } = await this.#bindings.consume(bindingId);
    if (!isAllowed) throw new SmtpRefusal("recipientTooBusy");
  }
}
