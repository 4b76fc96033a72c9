import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { AccountEventRecorded } from "../../../proto/gen/postern/mailbox/v1/account_event_recorded_pb.js";
import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import type { JobTable } from "../../platform/jobs/job-claims.ts";
import type { Lease } from "../../platform/jobs/job-worker.ts";
import type { Call } from "../calls/call.ts";

/** Tells an account's webhook of an event. */
export interface EventCall extends Call {
  /** JSON. */
  body: string;
}

export const eventCallJobs = { table: "event_call", key: "id" } as const;

/** In flight of one account, and half of all at most: its webhook is one URL, and a slow one takes no more room than that. */
const maxInFlightPerOwner = 10;
/** More than these wait for no account's webhook: its further events are not sent, and are found by `events` alone. */
const maxWaitingPerOwner = 20_000;

/** @param limit calls in flight at once */
export function eventCallTable(limit: number, perHost: number, leaseS: number): JobTable<EventCall> {
  return {
    name: "event_call",
    key: { column: "id", of: ({ id }) => id },
    columns: `id, owner_id, url, host, body, received_at, trace, jsonb_array_length(attempts) as attempt_count,
      ${isAccountDisabled("event_call.owner_id")} as is_owner_disabled`,
    concurrencyLimits: [
      { column: "host", of: ({ host }) => host, limit: perHost },
      { column: "owner_id", of: ({ ownerId }) => ownerId, limit: Math.min(maxInFlightPerOwner, Math.ceil(limit / 2)) },
    ],
    limit,
    leaseS,
  };
}

interface Subscription {
  ownerId: string;
  url: string;
  host: string;
  kinds: string[];
  bindingIds: string[];
  waitingCount: number;
}

/** The calls of those events that a webhook wants to be told of. It cannot be changed before the transaction ends. */
export async function eventCallsOf(
  tx: Transaction,
  events: readonly IncomingEvent<AccountEventRecorded>[],
): Promise<EventCall[]> {
  const { rows } = await tx.query<Subscription>(
    `select owner_id, url, host, kinds, binding_ids, (
        select count(*) from (
          select from event_call where event_call.owner_id = account_webhook.owner_id and state = 'waiting' limit $2) as waiting
      ) as waiting_count
       from account_webhook where owner_id = any ($1::uuid[]) and off_at is null order by owner_id for share`,
    [[...new Set(events.map(({ message }) => message.ownerId))], maxWaitingPerOwner],
  );
  const byOwner = new Map(rows.map((row) => [row.ownerId, row]));
  return events.flatMap((event) => {
    const subscription = byOwner.get(event.message.ownerId);
    return subscription && isWanted(event.message, subscription) ? [callOf(event, subscription)] : [];
  });
}

function isWanted({ kind, bindingId = "" }: AccountEventRecorded, wanted: Subscription): boolean {
  const { kinds, bindingIds, waitingCount } = wanted;
  if (waitingCount >= maxWaitingPerOwner) return false;
  return (kinds.length === 0 || kinds.includes(kind)) && (bindingIds.length === 0 || bindingIds.includes(bindingId));
}

function callOf(
  { message, occurredAt, trace }: IncomingEvent<AccountEventRecorded>,
  { ownerId, url, host }: Subscription,
): EventCall {
  const { eventId: id, kind, bindingId = null, emailId = null, address = null, outcome = null } = message;
  const at = (message.at ? timestampDate(message.at) : occurredAt).toISOString();
  const body = JSON.stringify({ id, kind, at, bindingId, emailId, address, outcome });
  return { id, ownerId, url, host, body, receivedAt: new Date(), trace, attemptCount: 0, isOwnerDisabled: false };
}

const newCalls = recordSet({
  id: "uuid",
  ownerId: "uuid",
  url: "text",
  host: "text",
  body: "text",
  receivedAt: "timestamptz",
  trace: "jsonb",
  workerId: "uuid",
  leaseS: "float8",
});

/** Those that are there already stay as they are; those of a disabled account get no lease. Gives the ids of those that are new and leased. */
export async function insertEventCalls(tx: Transaction, calls: readonly (EventCall & Lease)[]): Promise<string[]> {
  if (calls.length === 0) return [];
  const { rows } = await tx.query<{ id: string; workerId: string | null }>(
    `insert into event_call (id, owner_id, url, host, body, received_at, trace, worker_id, lease_until)
     select id, owner_id, url, host, body, received_at, trace, case when not is_disabled then worker_id end,
            case when not is_disabled then now() + lease_s * interval '1 second' end
       from ${newCalls.from("call")}, lateral (select ${isAccountDisabled("owner_id")} as is_disabled) as account order by id
     on conflict (id) do nothing returning id, worker_id`,
    newCalls.params(calls),
    { name: "insert_event_calls" },
  );
  return rows.flatMap(({ id, workerId }) => (workerId === null ? [] : [id]));
}
