import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { storableText } from "../storable-text.ts";
import { markProcessed, releaseRawMessages } from "./progress.ts";

/** RFC 5321 section 4.5.3.1.3 allows 256 octets of path. */
const pathLimit = 512;
const resultsLimit = 8_000;

/**
 * Inserts every accepted email, and a parse job for those that are browsable or have a callback.
 * @param wake called once there may be parse jobs.
 */
export function recordAccepted(wake: () => void) {
  return consumer(topics.mailAccepted, async (tx, events) => {
    const accepted = [...new Map(events.map((event) => [event.message.emailId, event])).values()];
    const mails = accepted.map((event) => event.message);
    const [overtaken] = await Promise.all([insertEmails(tx, accepted), reopenErasures(tx, mails)]);
    await markProcessed(tx, overtaken);
    const unneeded = mails
      .filter((mail) => expectedOutcomes(mail) === 0 && !mail.isBrowsable)
      .map((mail) => mail.emailId);
    await releaseRawMessages(tx, [...overtaken, ...unneeded]);
    if (mails.some(isParsed)) tx.afterCommit(wake);
  });
}

/** One for each target, and one for the callback. */
function expectedOutcomes(mail: MailAccepted): number {
  return mail.targets.length + (mail.callbackUrl === "" ? 0 : 1);
}

function isParsed(mail: MailAccepted): boolean {
  return mail.isBrowsable || mail.callbackUrl !== "";
}

/**
 * The row may exist already: inserted for an outcome that arrived first (without an envelope, filled in here), or by the same
 * event delivered before (left alone). `xmax` is zero in a row that this statement inserted.
 * @returns the ids of those that were filled in.
 */
async function insertEmails(tx: Transaction, events: readonly IncomingEvent<MailAccepted>[]): Promise<string[]> {
  const column = <T>(read: (mail: MailAccepted) => T) => events.map((event) => read(event.message));
  const { rows } = await tx.query<{ id: string }>(
    `with accepted as (
       insert into email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, is_browsable, is_processed)
       select id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, is_browsable, expected_outcomes = 0
         from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
              $10::text[], $11::bigint[], $12::uuid[], $13::int[], $14::boolean[])
           as mail (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, is_browsable)
        order by id
       on conflict (id) do update set
              owner_id = excluded.owner_id, binding_id = excluded.binding_id, received_at = excluded.received_at,
              sender = excluded.sender, recipient = excluded.recipient, proxy_address = excluded.proxy_address,
              callback_url = excluded.callback_url, received_from = excluded.received_from,
              authentication_results = excluded.authentication_results, size_bytes = excluded.size_bytes,
              raw_id = excluded.raw_id, expected_outcomes = excluded.expected_outcomes,
              is_browsable = excluded.is_browsable, is_processed = excluded.is_processed
        where email.raw_id is null and email.erased_at is null
       returning id, raw_id, size_bytes, is_browsable or callback_url <> '' as is_parsed, xmax <> 0 as was_overtaken),
     job as (
       insert into parse_job (email_id, raw_id, size_bytes, trace)
       select id, raw_id, size_bytes, trace from accepted join unnest($1::uuid[], $15::jsonb[]) as cause (id, trace) using (id) where is_parsed)
     select id from accepted where was_overtaken`,
    [
      column((mail) => mail.emailId),
      column((mail) => mail.ownerId),
      column((mail) => mail.bindingId),
      column((mail) => (mail.receivedAt ? timestampDate(mail.receivedAt) : new Date())),
      column((mail) => storableText(mail.envelopeSender, pathLimit)),
      column((mail) => storableText(mail.recipient, pathLimit)),
      column((mail) => storableText(mail.proxyAddress, pathLimit)),
      column((mail) => storableText(mail.callbackUrl)),
      column((mail) => storableText(`${mail.clientName} [${mail.clientAddress}]`.trim(), pathLimit)),
      column((mail) => storableText(mail.authenticationResults, resultsLimit)),
      column((mail) => mail.sizeBytes),
      column((mail) => mail.rawId),
      column(expectedOutcomes),
      column((mail) => mail.isBrowsable),
      events.map((event) => JSON.stringify(event.trace)),
    ],
    { name: "email_insert" },
  );
  return rows.map((row) => row.id);
}

/** Mail for a binding or account that was erased meanwhile is erased as well. */
async function reopenErasures(tx: Transaction, mails: readonly MailAccepted[]): Promise<void> {
  await tx.query(
    `update erasure set is_done = false from unnest($1::uuid[], $2::uuid[]) as mail (owner_id, binding_id)
      where erasure.owner_id = mail.owner_id and (erasure.binding_id is null or erasure.binding_id = mail.binding_id) and is_done`,
    [mails.map((mail) => mail.ownerId), mails.map((mail) => mail.bindingId)],
    { name: "erasure_reopen" },
  );
}
