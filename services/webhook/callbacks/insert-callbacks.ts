import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MailStored } from "../../../proto/gen/postern/mailbox/v1/mail_stored_pb.js";
import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import type { Lease } from "../../platform/jobs/job-worker.ts";
import { hostOf } from "../calls/call.ts";
import type { Callback } from "./callback.ts";

const newCallbacks = recordSet({
  id: "uuid",
  ownerId: "uuid",
  bindingId: "uuid",
  url: "text",
  host: "text",
  receivedAt: "timestamptz",
  trace: "jsonb",
  workerId: "uuid",
  leaseS: "float8",
});

/** One callback for each email whose route named a URL. */
export function callbacksOf(events: readonly IncomingEvent<MailStored>[]): Callback[] {
  return events.filter(({ message }) => message.callbackUrl !== "").map(callbackOf);
}

/** Those that are there already stay as they are; those of a disabled account get no lease. Gives the ids of those that are new and leased. */
export async function insertCallbacks(
  tx: Transaction,
  callbacks: readonly (Callback & Partial<Lease>)[],
): Promise<string[]> {
  if (callbacks.length === 0) return [];
  const { rows } = await tx.query<{ emailId: string; workerId: string | null }>(
    `insert into callback (email_id, owner_id, binding_id, url, host, received_at, trace, worker_id, lease_until)
     select id, owner_id, binding_id, url, host, received_at, trace, case when not is_disabled then worker_id end,
            case when not is_disabled then now() + lease_s * interval '1 second' end
       from ${newCallbacks.from("callback")}, lateral (select ${isAccountDisabled("owner_id")} as is_disabled) as account order by id
     on conflict (email_id) do nothing returning email_id, worker_id`,
    newCallbacks.params(callbacks.map((callback) => ({ workerId: null, leaseS: null, ...callback }))),
    { name: "schedule_callbacks" },
  );
  return rows.flatMap(({ emailId, workerId }) => (workerId === null ? [] : [emailId]));
}

function callbackOf({ message, trace, occurredAt }: IncomingEvent<MailStored>): Callback {
  return {
    id: message.emailId,
    ownerId: message.ownerId,
    bindingId: message.bindingId,
    url: message.callbackUrl,
    host: hostOf(message.callbackUrl),
    receivedAt: message.receivedAt ? timestampDate(message.receivedAt) : occurredAt,
    trace,
    attemptCount: 0,
    isOwnerDisabled: false,
  };
}
