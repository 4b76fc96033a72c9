import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NIL } from "uuid";
import { AccountEventRecordedSchema } from "../../../proto/gen/postern/mailbox/v1/account_event_recorded_pb.js";
import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { NewTimelineEntry } from "../emails/timeline.ts";

interface NewEvent {
  readonly ownerId: string;
  readonly kind: "email.arrived" | "address.made" | "address.removed";
  readonly at: Date;
  readonly bindingId: string;
  readonly emailId?: string;
  readonly data?: object;
}

const newEvents = recordSet({
  id: "uuid",
  ownerId: "uuid",
  kind: "text",
  at: "timestamptz",
  bindingId: "uuid",
  emailId: "uuid",
  data: "jsonb",
});
const outcomes = recordSet({ id: "uuid", emailId: "uuid", kind: "text", at: "timestamptz" });

/** Of an account that is closed, or of the operator, there are none. */
const isOpen = `owner_id <> '${NIL}' and not exists (
  select from erasure where erasure.owner_id = event.owner_id and erasure.binding_id is null)`;

/** Of a binding that was made or removed. */
export function addressEvent(
  kind: "address.made" | "address.removed",
  { bindingId, ownerId, proxyAddress }: { bindingId: string; ownerId: string; proxyAddress: string },
  at: Timestamp | undefined,
  occurredAt: Date,
): NewEvent {
  return { kind, ownerId, bindingId, at: at ? timestampDate(at) : occurredAt, data: { address: proxyAddress } };
}

/** Of an email that came from outside. */
export function arrivedEvent(email: Pick<NewEvent, "ownerId" | "bindingId" | "at"> & { emailId: string }): NewEvent {
  const { ownerId, bindingId, emailId, at } = email;
  return { kind: "email.arrived", ownerId, bindingId, emailId, at };
}

/** New bindings. */
export const recordMadeAddresses = consumer(topics.bindingMade, (tx, events) =>
  addAccountEvents(
    tx,
    events.map(({ message, occurredAt }) => addressEvent("address.made", message, message.madeAt, occurredAt)),
  ),
);

/** In the transaction that made them true. Those whose account has a webhook are published as well. */
export async function addAccountEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(
    tx,
    "account_event_insert",
    `select ${newEvents.columns} from ${newEvents.from("event")} where ${isOpen}`,
    newEvents.params(
      events.map(({ emailId = null, data = {}, ...event }) => ({ id: newId(), emailId, data, ...event })),
    ),
  );
}

const outcomeEvent = `case when kind = 'bounced' then 'delivery.bounced' else 'delivery.settled' end`;
/** From what is called `event`. */
const ofOutcome = `${outcomeEvent} as kind, at, binding_id, email_id, jsonb_build_object('outcome', kind) as data`;

/** Events of the ends of deliveries. Those of an email that is not known yet follow with it: see addEarlierOutcomeEvents. */
export async function addOutcomeEvents(tx: Transaction, entries: readonly NewTimelineEntry[]): Promise<void> {
  const ends = entries.filter(({ isEnd }) => isEnd);
  if (ends.length === 0) return;
  await insertEvents(
    tx,
    "account_event_outcomes",
    `select id, owner_id, ${ofOutcome}
       from (select outcome.*, owner_id, binding_id from ${outcomes.from("outcome")} join email on email.id = email_id
              where owner_id is not null) as event where ${isOpen}`,
    outcomes.params(ends.map(({ emailId, kind, at }) => ({ id: newId(), emailId, kind, at }))),
  );
}

/** Events of outcomes that were known before their emails. */
export async function addEarlierOutcomeEvents(tx: Transaction, emailIds: readonly string[]): Promise<void> {
  if (emailIds.length === 0) return;
  await insertEvents(
    tx,
    "account_event_earlier",
    `select gen_random_uuid() as id, owner_id, ${ofOutcome}
       from (select kind, at, email_id, owner_id, binding_id from timeline join email on email.id = email_id
              where email_id = any ($1::uuid[]) and is_end and owner_id is not null) as event where ${isOpen}`,
    [emailIds],
  );
}

interface PushedEvent {
  id: string;
  ownerId: string;
  kind: string;
  at: Date;
  bindingId: string | null;
  emailId: string | null;
  data: { address?: string; outcome?: string };
}

/** Records what a query gives, and publishes those of accounts that have a webhook. */
async function insertEvents(tx: Transaction, name: string, query: string, params: readonly unknown[]): Promise<void> {
  const { rows } = await tx.query<PushedEvent>(
    `with event as (${query}),
          added as (insert into account_event (id, owner_id, kind, at, binding_id, email_id, data)
                    select id, owner_id, kind, at, binding_id, email_id, data from event)
     select event.* from event join event_push using (owner_id)`,
    params,
    { name },
  );
  await publish(tx, rows.map(asPublished));
}

function asPublished({ id, bindingId, emailId, at, data, ...row }: PushedEvent): OutgoingEvent {
  const message = create(AccountEventRecordedSchema, {
    ...row,
    ...data,
    eventId: id,
    at: timestampFromDate(at),
    ...(bindingId === null ? {} : { bindingId }),
    ...(emailId === null ? {} : { emailId }),
  });
  return event(topics.accountEventRecorded, message);
}
