import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { Channel, Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import { storableText } from "../storable-text.ts";
import { letGo, lockEmails, settle } from "./progress.ts";
import { addEntries, type NewEntry } from "./timeline.ts";

const detailLimit = 2_000;
const targetLimit = 4_000;

/** What the timeline calls the end of a delivery, and an attempt that another will follow, per channel. */
const kinds = {
  [Channel.FORWARD]: {
    deferred: "deferred",
    [Outcome.DELIVERED]: "forwarded",
    [Outcome.GIVEN_UP]: "given_up",
    [Outcome.CANCELLED]: "cancelled",
    [Outcome.BOUNCED]: "bounced",
  },
  [Channel.CALLBACK]: {
    deferred: "callback_deferred",
    [Outcome.DELIVERED]: "called_back",
    [Outcome.GIVEN_UP]: "callback_given_up",
    [Outcome.CANCELLED]: "callback_cancelled",
    // A callback cannot come back: its target answers at once or never.
    [Outcome.BOUNCED]: "callback_given_up",
  },
} as const;

/** Puts the ends of deliveries on the timeline; the last one expected makes an email processed. */
export const recordSettled = consumer(topics.deliverySettled, async (tx, events) => {
  await record(
    tx,
    events.map(({ message }) => {
      if (message.outcome === Outcome.UNSPECIFIED)
        throw new Error(`the delivery of ${message.emailId} was settled without an outcome`);
      return entryOf(message, kindsOf(message)[message.outcome], message.settledAt, true);
    }),
  );
});

/** Puts attempts that failed for now on the timeline. */
export const recordDeferred = consumer(topics.deliveryDeferred, async (tx, events) => {
  await record(
    tx,
    events.map(({ message }) => entryOf(message, kindsOf(message).deferred, message.deferredAt, false)),
  );
});

interface Delivery {
  readonly emailId: string;
  readonly channel: Channel;
  readonly targetId: string;
  readonly target: string;
  readonly response: string;
  readonly attemptCount: number;
}

function kindsOf({ channel, emailId }: Delivery) {
  if (channel === Channel.UNSPECIFIED) throw new Error(`a delivery of ${emailId} has no channel`);
  return kinds[channel];
}

function entryOf(delivery: Delivery, kind: string, at: Timestamp | undefined, isEnd: boolean): NewEntry {
  return {
    emailId: delivery.emailId,
    kind,
    targetId: delivery.targetId,
    attemptCount: delivery.attemptCount,
    at: at ? timestampDate(at) : new Date(),
    target: storableText(delivery.target, targetLimit),
    detail: delivery.response === "" ? null : storableText(delivery.response, detailLimit),
    isEnd,
  };
}

/** An outcome may overtake mail.accepted: then the email begins as a row without an envelope, which both have to pass. */
async function record(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  const ids = [...new Set(entries.map((entry) => entry.emailId))].sort();
  const precede = "insert into email (id) select unnest ($1::uuid[]) on conflict do nothing";
  const isEnd = entries.some((entry) => entry.isEnd);
  await Promise.all([
    tx.query(precede, [ids], { name: "email_precede" }),
    lockEmails(tx, ids),
    addEntries(tx, entries),
    ...(isEnd ? [settle(tx, ids), letGo(tx, ids)] : []),
  ]);
}
