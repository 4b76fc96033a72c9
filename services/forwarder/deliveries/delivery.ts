import type { LeasedTable } from "../../platform/jobs/leased-rows.ts";
import type { Authentication } from "../authentication.ts";
import { isNotPaused } from "./destinations.ts";

/** A delivery in hand: what a worker needs to know of it. */
export interface Delivery {
  id: string;
  /** Null for a notice of the service's own. */
  emailId: string | null;
  noticeId: string | null;
  addressId: string | null;
  /** The real address. */
  address: string;
  domain: string;
  rawId: string | null;
  sizeBytes: number | null;
  receivedAt: Date;
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
  smtpUtf8: boolean;
  eightBitMime: boolean;
  authenticationResults: string;
  /** Null where ingress judged nothing. */
  authentication: Authentication | null;
  /** The trace that the email belongs to. */
  trace: Readonly<Record<string, string>>;
  /** Attempts that failed so far. */
  attemptCount: number;
}

/** Its columns, as a row gives them. */
export const deliveryColumns = `id, email_id as "emailId", notice_id as "noticeId", address_id as "addressId", address, domain,
  raw_id as "rawId", size_bytes as "sizeBytes", received_at as "receivedAt", envelope_sender as "envelopeSender", recipient,
  proxy_address as "proxyAddress", authentication, trace,
  client_address as "clientAddress", client_name as "clientName", protocol, tls, smtp_utf8 as "smtpUtf8",
  eight_bit_mime as "eightBitMime", authentication_results as "authenticationResults", jsonb_array_length(attempts) as "attemptCount"`;

/** @param limit deliveries in hand at once @param perDomain the same, to one domain */
export function deliveryTable(limit: number, perDomain: number, leaseS: number): LeasedTable<Delivery> {
  return {
    name: "delivery",
    key: { column: "id", of: ({ id }) => id },
    columns: deliveryColumns,
    claimable: isNotPaused,
    lanes: [{ column: "domain", of: ({ domain }) => domain, limit: perDomain }],
    limit,
    leaseS,
  };
}

/** An attempt as it is kept and shown. */
export interface Attempt {
  /** ISO 8601, UTC. */
  at: string;
  response: string;
  remote: string;
}
