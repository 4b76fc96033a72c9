import { fromBinary } from "@bufbuild/protobuf";
import { topics } from "../../../proto/topics.ts";
import type { Database } from "../../platform/db/types.ts";
import { type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { firstIdAt } from "../../platform/ids.ts";

/** An event as it stands beside its message. */
interface KeptEvent extends Omit<OutgoingEvent, "payload" | "occurredAt"> {
  /** Base64. */
  payload: string;
  /** ISO 8601. */
  occurredAt: string;
}

type KeptEvents = Readonly<Record<string, KeptEvent>>;

interface KeptMessage {
  rawId: string;
  emailIds: string[];
  /** JSON of KeptEvents, in UTF-8. */
  events: Buffer | null;
}

/** The events of a message by the ids of its emails, in whose order they are: JSON, in UTF-8. */
export function keptEvents(emailIds: readonly string[], events: readonly OutgoingEvent[]): Buffer {
  // Put together as text: to V8 each object with a key of its own is a class of its own.
  const kept = events.map(({ id, topic, key, headers, payload, occurredAt }, at) => {
    const event: KeptEvent = {
      id,
      topic,
      key,
      headers,
      payload: payload.toString("base64"),
      occurredAt: occurredAt.toISOString(),
    };
    return `${JSON.stringify(emailIds[at])}:${JSON.stringify(event)}`;
  });
  return Buffer.from(`{${kept.join(",")}}`);
}

function eventsOf({ events }: KeptMessage): KeptEvents {
  return events ? (JSON.parse(events.toString()) as KeptEvents) : {};
}

/** Messages by age, a page at a time: what each of their emails was published as, and how many deliveries that asks for. */
export async function keptMessages(
  db: Database,
  { after, since, before, limit }: { after: string | null; since: string; before: string; limit: number },
) {
  const { rows } = await db.query<KeptMessage>(
    `select raw_id, email_ids, events from raw_message
      where raw_id > $1 and raw_id >= $2 and raw_id < $3 order by raw_id limit $4`,
    [after ?? firstIdAt(new Date(0)), firstIdAt(new Date(since)), firstIdAt(new Date(before)), limit],
  );
  return rows.map((message) => {
    const events = eventsOf(message);
    const emails = message.emailIds.map((emailId) => ({ emailId, ...kindOf(events[emailId]) }));
    return { rawId: message.rawId, emails };
  });
}

function kindOf(event: KeptEvent | undefined) {
  if (!event) return { topic: null, forwardCount: 0 };
  if (event.topic !== topics.mailAccepted.name) return { topic: event.topic, forwardCount: 1 };
  const { targets, unverifiedTargets, rule } = fromBinary(
    topics.mailAccepted.schema,
    Buffer.from(event.payload, "base64"),
  );
  const reports = rule?.effects.includes("refused") ? 1 : 0;
  return { topic: event.topic, forwardCount: targets.length + unverifiedTargets.length + reports };
}

/** Publishes the events of emails again, under the ids that they had: a consumer that knows one drops it. Gives their number. */
export async function publishAgain(
  db: Database,
  emails: readonly { emailId: string; rawId: string }[],
): Promise<number> {
  const asked = new Set(emails.map(({ emailId }) => emailId));
  return db.tx(async (tx) => {
    // Locked, so that nothing is published for a message that is released meanwhile.
    const { rows } = await tx.query<KeptMessage>(
      "select raw_id, email_ids, events from raw_message where raw_id = any ($1::uuid[]) order by raw_id for share",
      [emails.map(({ rawId }) => rawId)],
    );
    const again = rows.flatMap((message) => {
      const events = eventsOf(message);
      return message.emailIds.filter((id) => asked.has(id)).flatMap((id) => events[id] ?? []);
    });
    await publish(tx, again.map(outgoing));
    return again.length;
  });
}

function outgoing({ payload, occurredAt, ...event }: KeptEvent): OutgoingEvent {
  return { ...event, payload: Buffer.from(payload, "base64"), occurredAt: new Date(occurredAt) };
}
