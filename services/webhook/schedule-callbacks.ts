import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailStored } from "../../proto/gen/postern/mailbox/v1/mail_stored_pb.js";
import type { Transaction } from "../platform/db/types.ts";
import type { IncomingEvent } from "../platform/events/types.ts";

/** One callback for each email whose route named a URL. Those that are there already stay as they are. */
export async function scheduleCallbacks(tx: Transaction, events: readonly IncomingEvent<MailStored>[]): Promise<void> {
  const rows = events.filter(({ message }) => message.callbackUrl !== "").map(callbackRow);
  if (rows.length === 0) return;
  await tx.query(
    `insert into callback (email_id, owner_id, binding_id, url, host, received_at, trace)
     select * from json_to_recordset($1::json)
       as row(email_id uuid, owner_id uuid, binding_id uuid, url text, host text, received_at timestamptz, trace jsonb)
     order by email_id
     on conflict (email_id) do nothing`,
    [JSON.stringify(rows)],
    { name: "schedule_callbacks" },
  );
}

function callbackRow({ message, trace, occurredAt }: IncomingEvent<MailStored>) {
  return {
    email_id: message.emailId,
    owner_id: message.ownerId,
    binding_id: message.bindingId,
    url: message.callbackUrl,
    host: URL.canParse(message.callbackUrl) ? new URL(message.callbackUrl).host : "",
    received_at: message.receivedAt ? timestampDate(message.receivedAt) : occurredAt,
    trace,
  };
}
