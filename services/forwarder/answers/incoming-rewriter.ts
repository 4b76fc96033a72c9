import type { bindingsContract } from "../../bindings/contract.ts";
import { domainOf, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { type HeaderField, textAsBytes } from "../../message/header/fields.ts";
import type { SealedMessageIds } from "../../message/header/sealed-message-id.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { isUnverified } from "../deliveries/authentication.ts";
import type { Forward } from "../deliveries/delivery.ts";
import { calendarMailboxes, incomingCalendar } from "./incoming-calendar.ts";
import { incomingHeader } from "./incoming-header.ts";
import { namedMailboxes } from "./named-mailboxes.ts";

export interface IncomingRewriterOptions {
  bindings: Pick<Client<typeof bindingsContract>, "reverseAddresses">;
  messageIds: SealedMessageIds;
  serviceDomain: string;
}

/** Headers and invitations of forwards where the binding answers; one call to bindings for all addresses of a message. */
export class IncomingRewriter {
  readonly #options: IncomingRewriterOptions;

  constructor(options: IncomingRewriterOptions) {
    this.#options = options;
  }

  /** @param proxyAddress as it may stand in the header @throws Outage while bindings cannot be asked */
  async rewrite(fields: readonly HeaderField[], forward: Forward, proxyAddress: string): Promise<HeaderField[]> {
    const { bindings, messageIds } = this.#options;
    const { ownerId, bindingId, authentication } = forward;
    const mailboxes = namedMailboxes(fields);
    const mappings = await bindings.reverseAddresses({ bindingId, mailboxes });
    const reverseAddresses = new Map(
      mappings.flatMap(({ address, reverseAddress, isOwn }) => {
        const side = isOwn ? "own" : reverseAddress && withAsciiDomain(reverseAddress);
        return side === null ? [] : [[address.toLowerCase(), side] as const];
      }),
    );
    return incomingHeader(fields, {
      reverseAddresses,
      proxyAddress: textAsBytes(proxyAddress),
      ownDomains: [domainOf(withAsciiDomain(proxyAddress)), this.#options.serviceDomain],
      isUnverified: isUnverified(authentication),
      originalId: (messageId) => messageIds.open(ownerId, messageId),
    });
  }

  /** The same of invitations in the body; undefined where there is nothing to replace. @throws Outage while bindings cannot be asked */
  async rewriteCalendars(message: Buffer, { bindingId }: Forward): Promise<Buffer | undefined> {
    const mailboxes = calendarMailboxes(message);
    if (mailboxes.length === 0) return undefined;
    const mappings = await this.#options.bindings.reverseAddresses({ bindingId, mailboxes });
    const rewritten = incomingCalendar(
      message,
      new Map(
        mappings.flatMap(({ address, reverseAddress }) =>
          reverseAddress === null ? [] : [[address.toLowerCase(), withAsciiDomain(reverseAddress)] as const],
        ),
      ),
    );
    return rewritten === message ? undefined : rewritten;
  }
}
