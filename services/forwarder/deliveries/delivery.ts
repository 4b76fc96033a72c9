import type { JobTable } from "../../platform/jobs/job-claims.ts";
import { isDeliveryOwnerDisabled } from "../accounts/disabled-accounts.ts";
import type { AnswerContent } from "../answers/answer.ts";
import { isSendingAllowed } from "../answers/sending-pauses.ts";
import type { Authentication } from "./authentication.ts";
import { isNotPaused } from "./destinations.ts";
import { heldUntilColumn } from "./holding.ts";

/** A message to one address: one that is forwarded, an answer to a contact, or one of the service's own. */
export type Delivery = Forward | Answer | Notice;

interface BaseDelivery {
  id: string;
  /** Whom it goes to. */
  address: string;
  /** The domain of the address, in lower case. */
  domain: string;
  /** By the public suffix list: what subdomains share the room for deliveries in flight of. */
  organisationalDomain: string;
  receivedAt: Date;
  /** Of a forward, whether its sender declared it: what leaves may do without. */
  smtpUtf8: boolean;
  eightBitMime: boolean;
  /** The trace that the email, or the request for a notice, belongs to. */
  trace: Readonly<Record<string, string>>;
  /** Attempts that failed so far. */
  attemptCount: number;
}

/** A message for a binding, on its way to one of the binding's real addresses. */
export interface Forward extends BaseDelivery {
  kind: "forward";
  emailId: string;
  ownerId: string;
  bindingId: string;
  /** The real address's id in bindings. */
  addressId: string;
  rawId: string;
  sizeBytes: number;
  /** The reverse-path that the message came with; empty for a bounce. */
  envelopeSender: string;
  /** The proxy address as the sender wrote it. */
  recipient: string;
  /** The same as bindings writes it. */
  proxyAddress: string;
  clientAddress: string;
  clientName: string;
  protocol: string;
  tls: string;
  authenticationResults: string;
  /** Null where ingress evaluated nothing. */
  authentication: Authentication | null;
  /** Its owner answers from the proxy address: what can be answered is rewritten to reverse addresses. */
  answers: boolean;
  /** Put before its subject, by a rule of its owner's; "" for nothing. */
  subjectTag: string;
  /** A rule refused it: it is sent nowhere, and its author is told where that is allowed. */
  isRefused: boolean;
  /** Its account is disabled: it is held, see holding.ts. */
  isOwnerDisabled: boolean;
  /** Until when it is held for its address to be verified; null where it is not. */
  heldUntil: Date | null;
}

/** An answer of an owner's, or mail that the owner composed, on its way to one contact. */
export interface Answer extends BaseDelivery {
  kind: "answer";
  emailId: string;
  ownerId: string;
  bindingId: string;
  /** The contact's id in bindings. */
  addressId: string;
  isOwnerDisabled: boolean;
  heldUntil: Date | null;
  /** Null once it is deleted. */
  answer: AnswerContent | null;
}

/** A message of the service's own, to an owner or, as a delivery status notification, to an author. */
export interface Notice extends BaseDelivery {
  kind: "notice";
  noticeId: string;
}

/** The columns of every kind, as a row gives them. */
export const deliveryColumns = `id, case when notice_id is not null then 'notice' when is_answer then 'answer' else 'forward' end as kind,
  case when is_answer then (select content from answer where answer.email_id = delivery.email_id) end as answer,
  email_id, notice_id, owner_id, binding_id, address_id,
  address, domain, coalesce(nullif(organisational_domain, ''), domain) as organisational_domain,
  coalesce(raw_id, refused_raw_id) as raw_id, size_bytes, received_at, envelope_sender,
  recipient, proxy_address, authentication, trace, answers, subject_tag, is_refused,
  client_address, client_name, protocol, tls, smtp_utf8,
  ${isDeliveryOwnerDisabled} as is_owner_disabled, eight_bit_mime, authentication_results, jsonb_array_length(attempts) as attempt_count,
  ${heldUntilColumn}`;

/** How many deliveries may be in flight at once, in one process. */
interface DeliveryLimits {
  all: number;
  perDomain: number;
  perOwner: number;
}

/** @param leaseS how long a claimed delivery belongs to its worker */
export function deliveryTable({ all, perDomain, perOwner }: DeliveryLimits, leaseS: number): JobTable<Delivery> {
  return {
    name: "delivery",
    key: { column: "id", of: ({ id }) => id },
    columns: deliveryColumns,
    claimable: `${isNotPaused} and ${isSendingAllowed}`,
    concurrencyLimits: [
      {
        column: "coalesce(nullif(organisational_domain, ''), domain)",
        of: ({ organisationalDomain }) => organisationalDomain,
        limit: perDomain,
      },
      {
        // Notices do not count for an owner: each counts for itself.
        column: "case when notice_id is null then owner_id else id end",
        of: (delivery) => (delivery.kind === "notice" ? delivery.id : delivery.ownerId),
        limit: perOwner,
      },
    ],
    limit: all,
    leaseS,
  };
}
