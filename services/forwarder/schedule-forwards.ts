import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import type { Transaction } from "../platform/db/types.ts";
import { newId } from "../platform/ids.ts";
import { authenticationOf } from "./authentication.ts";

/** What is right of the @, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/** One delivery for each real address of each email. Those that are there already stay as they are. */
export async function scheduleForwards(tx: Transaction, emails: readonly MailAccepted[]): Promise<void> {
  const rows = emails.flatMap((email) => email.targets.map((target) => forwardRow(email, target)));
  if (rows.length === 0) return;
  // JSON rather than twenty arrays for unnest: as fast, and a name stands beside each value.
  await tx.query(
    `insert into delivery (id, email_id, owner_id, binding_id, address_id, address, domain, raw_id, size_bytes, received_at,
       envelope_sender, recipient, client_address, client_name, protocol, tls, smtp_utf8, eight_bit_mime, authentication_results,
       authentication, proxy_address)
     select * from json_to_recordset($1::json) as row(id uuid, email_id uuid, owner_id uuid, binding_id uuid, address_id uuid,
       address text, domain text, raw_id uuid, size_bytes integer, received_at timestamptz, envelope_sender text, recipient text,
       client_address text, client_name text, protocol text, tls text, smtp_utf8 boolean, eight_bit_mime boolean,
       authentication_results text, authentication jsonb, proxy_address text)
     on conflict (email_id, address) do nothing`,
    [JSON.stringify(rows)],
    { name: "schedule_forwards" },
  );
}

function forwardRow(email: MailAccepted, target: MailAccepted["targets"][number]) {
  return {
    id: newId(),
    email_id: email.emailId,
    owner_id: email.ownerId,
    binding_id: email.bindingId,
    address_id: target.addressId,
    address: target.address,
    domain: domainOf(target.address),
    raw_id: email.rawId,
    size_bytes: email.sizeBytes,
    received_at: email.receivedAt ? timestampDate(email.receivedAt) : new Date(),
    envelope_sender: email.envelopeSender,
    recipient: email.recipient,
    client_address: email.clientAddress,
    client_name: email.clientName,
    protocol: email.protocol,
    tls: email.tls,
    smtp_utf8: email.smtpUtf8,
    eight_bit_mime: email.eightBitMime,
    authentication_results: email.authenticationResults,
    authentication: authenticationOf(email),
    proxy_address: email.proxyAddress,
  };
}
