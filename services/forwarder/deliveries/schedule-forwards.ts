import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { newId } from "../../platform/ids.ts";
import type { Lease } from "../../platform/jobs/job-worker.ts";
import { authenticationOf } from "../authentication.ts";
import type { Forward } from "./delivery.ts";

/** The domain of an address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/** One delivery for each real address of each email. */
export function forwardsOf(events: readonly IncomingEvent<MailAccepted>[]): Forward[] {
  return events.flatMap((event) => event.message.targets.map((target) => forwardOf(event, target)));
}

/**
 * Inserts those of (email, address) that are not there yet; those to a paused destination without a lease. Gives the ids of
 * those that are new and leased.
 */
export async function insertForwards(
  tx: Transaction,
  forwards: readonly (Forward & Partial<Lease>)[],
): Promise<string[]> {
  if (forwards.length === 0) return [];
  // JSON rather than twenty arrays for unnest: as fast, and a name stands beside each value.
  const { rows } = await tx.query<{ id: string; worker_id: string | null }>(
    `insert into delivery (id, email_id, owner_id, binding_id, address_id, address, domain, raw_id, size_bytes, received_at,
       envelope_sender, recipient, client_address, client_name, protocol, tls, smtp_utf8, eight_bit_mime, authentication_results,
       authentication, proxy_address, trace, worker_id, lease_until)
     select id, "emailId", "ownerId", "bindingId", "addressId", address, domain, "rawId", "sizeBytes", "receivedAt",
       "envelopeSender", recipient, "clientAddress", "clientName", protocol, tls, "smtpUtf8", "eightBitMime", "authenticationResults",
       authentication, "proxyAddress", trace,
       case when paused_at is null then "workerId" end, case when paused_at is null then now() + "leaseS" * interval '1 second' end
     from json_to_recordset($1::json) as row(id uuid, "emailId" uuid, "ownerId" uuid, "bindingId" uuid, "addressId" uuid,
       address text, domain text, "rawId" uuid, "sizeBytes" integer, "receivedAt" timestamptz, "envelopeSender" text, recipient text,
       "clientAddress" text, "clientName" text, protocol text, tls text, "smtpUtf8" boolean, "eightBitMime" boolean,
       "authenticationResults" text, authentication jsonb, "proxyAddress" text, trace jsonb, "workerId" uuid, "leaseS" float8)
       left join paused_destination using (domain)
     on conflict (email_id, address) do nothing returning id, worker_id`,
    [JSON.stringify(forwards)],
    { name: "schedule_forwards" },
  );
  return rows.flatMap(({ id, worker_id }) => (worker_id === null ? [] : [id]));
}

function forwardOf(
  { message: email, trace }: IncomingEvent<MailAccepted>,
  target: MailAccepted["targets"][number],
): Forward {
  return {
    kind: "forward",
    id: newId(),
    emailId: email.emailId,
    ownerId: email.ownerId,
    bindingId: email.bindingId,
    addressId: target.addressId,
    address: target.address,
    domain: domainOf(target.address),
    rawId: email.rawId,
    sizeBytes: email.sizeBytes,
    receivedAt: email.receivedAt ? timestampDate(email.receivedAt) : new Date(),
    envelopeSender: email.envelopeSender,
    recipient: email.recipient,
    proxyAddress: email.proxyAddress,
    clientAddress: email.clientAddress,
    clientName: email.clientName,
    protocol: email.protocol,
    tls: email.tls,
    smtpUtf8: email.smtpUtf8,
    eightBitMime: email.eightBitMime,
    authenticationResults: email.authenticationResults,
    authentication: authenticationOf(email),
    trace,
    attemptCount: 0,
  };
}
