import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import { formatReverseAddress } from "../../message/address/reverse-address.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Contact as ContactSchema } from "./contract.ts";

export type Contact = z.output<typeof ContactSchema>;

/** A row of `contactColumns`. */
export interface ContactRow {
  id: string;
  ownerId: string;
  bindingId: string;
  address: string;
  name: string;
  token: string;
  blockedAt: Date | null;
  received: number;
  sent: number;
  lastSeenAt: Date;
  proxyAddress: string;
}

/** Of `contact`, joined with its binding. */
export const contactColumns = `contact.id, contact.owner_id, binding_id, contact.address, name, token, blocked_at,
  received, sent, last_seen_at, binding.proxy_address`;

export function toContact({ token, blockedAt, lastSeenAt, proxyAddress, ...row }: ContactRow): Contact {
  return {
    ...row,
    reverseAddress: formatReverseAddress(token, domainOf(proxyAddress)),
    isBlocked: blockedAt !== null,
    lastSeenAt: lastSeenAt.toISOString(),
  };
}

/** The same for somebody else's and for one that does not exist: attackers learn nothing. */
export function noSuchContact(): Refusal {
  return new Refusal("NotFound", { public: "There is no such contact." });
}
