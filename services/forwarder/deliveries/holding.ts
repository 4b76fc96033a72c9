import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import type { IncomingEvent } from "../../platform/events/types.ts";
import { scheduleLengthS } from "../../platform/jobs/retry-schedule.ts";
import type { Delivery, Forward } from "./delivery.ts";
import { forwardOf, insertForwards } from "./insert-forwards.ts";

/** How long mail is held for an address that is yet to be verified. */
const heldDays = 7;
/** How much of it is held for one binding. */
const maxMessages = 100;
const maxBytes = 50 * 1024 * 1024;

/** Longer than events may take. */
const verifiedRememberedDays = 8;

/** The longest wait of a delivery that was claimed while it is held, in case that it is released at the same moment. */
const maxRecheckS = 3_600;

/** Has the status code of an expiry; the author's report is made from it. */
const disabledTooLong = "5.4.7 delivery time expired while the account was disabled";

/** What its author is told of mail that a rule refused: as much as at RCPT, and nothing of a rule. */
const refusedByRule = "550 5.7.1 This address does not take this message";

/** Why a delivery must not be attempted now; null where it may. */
type Hold = { kind: "wait"; retryAfterS: number } | { kind: "give up"; response: string } | null;

/** Until when a delivery is held for its address to be verified. */
export const heldUntilColumn =
  "(select expires_at from held_delivery where held_delivery.delivery_id = delivery.id) as held_until";

/**
 * A delivery that is given up gets the status code of an expiry or of a full mailbox; the author's report is made from it.
 * @param scheduleS for so long mail of a disabled account is held: a server that is down would be tried as well
 */
export function holdOf(delivery: Delivery, scheduleS: readonly number[], now = new Date()): Hold {
  if (delivery.kind === "notice") return null;
  if (delivery.kind === "forward" && delivery.isRefused) return { kind: "give up", response: refusedByRule };
  const { receivedAt, heldUntil, isOwnerDisabled } = delivery;
  const hold = heldUntil && holdUntil(heldUntil, now, () => unverified(receivedAt, heldUntil));
  if (hold || !isOwnerDisabled) return hold;
  return holdUntil(new Date(receivedAt.getTime() + scheduleLengthS(scheduleS) * 1_000), now, () => disabledTooLong);
}

/** Waiting is postponed in the table, so that what is held is no part of what each claim goes through. */
function holdUntil(end: Date, now: Date, response: () => string): Hold {
  const remainingS = (end.getTime() - now.getTime()) / 1_000;
  if (remainingS > 0) return { kind: "wait", retryAfterS: Math.min(remainingS, maxRecheckS) };
  return { kind: "give up", response: response() };
}

function unverified(receivedAt: Date, heldUntil: Date): string {
  const isExpired = heldUntil.getTime() >= receivedAt.getTime() + heldDays * dayMs;
  return isExpired
    ? `5.4.7 delivery time expired: the address was not verified within ${heldDays} days`
    : "5.2.2 too much mail waits for the address to be verified";
}

/** Makes due what was held while these accounts were disabled, once they are not. */
export async function releaseEnabled(tx: Transaction, ownerIds: readonly string[]): Promise<void> {
  await tx.query(
    `update delivery set due_at = now()
      where owner_id = any ($1::uuid[]) and notice_id is null and state = 'waiting' and due_at > now()
        and not exists (select from held_delivery where delivery_id = delivery.id)`,
    [ownerIds],
    { name: "delivery_release_enabled" },
  );
}

/**
 * Inserts deliveries to addresses that are yet to be verified: due when the hold ends, at once where a binding has too many.
 * @param wake called after the commit: an address may have been verified meanwhile
 */
export async function holdUnverified(
  tx: Transaction,
  events: readonly IncomingEvent<MailAccepted>[],
  wake: () => void,
): Promise<void> {
  const held = events.flatMap((event) => event.message.unverifiedTargets.map((target) => forwardOf(event, target)));
  if (held.length === 0) return;
  await insertForwards(
    tx,
    held.map((forward) => ({ ...forward, dueAt: endOf(forward) })),
  );
  await tx.query(
    `with arriving as (
       select id, binding_id, address_id, size_bytes, due_at, row_number() over arrived as nth, sum(size_bytes) over arrived as bytes
         from delivery where id = any ($1::uuid[]) window arrived as (partition by binding_id order by id)),
     waiting as (
       select binding_id, count(*) as count, sum(size_bytes) as bytes from held_delivery
        where binding_id in (select binding_id from arriving) and expires_at > now() group by binding_id)
     insert into held_delivery (delivery_id, binding_id, address_id, size_bytes, expires_at)
     select id, binding_id, address_id, size_bytes,
            case when coalesce(waiting.count, 0) + nth <= $2 and coalesce(waiting.bytes, 0) + arriving.bytes <= $3 then due_at else now() end
       from arriving left join waiting using (binding_id)`,
    [held.map(({ id }) => id), maxMessages, maxBytes],
  );
  await tx.query(
    `update delivery set due_at = expires_at from held_delivery
      where delivery.id = any ($1::uuid[]) and delivery_id = delivery.id and expires_at < due_at`,
    [held.map(({ id }) => id)],
  );
  tx.afterCommit(wake);
}

function endOf({ receivedAt }: Forward): Date {
  return new Date(receivedAt.getTime() + heldDays * dayMs);
}

/** Remembers that addresses were verified; `releaseVerified` then releases what is held for them. */
export async function rememberVerified(tx: Transaction, addressIds: readonly string[]): Promise<void> {
  await tx.query(
    "insert into verified_address (id) select distinct id from unnest($1::uuid[]) as address (id) order by id on conflict do nothing",
    [addressIds],
  );
}

/**
 * Makes due what is held for addresses that were verified. Runs after the commit of either, so that whichever of a mail and the
 * verification of its address comes second finds the other.
 */
export async function releaseVerified(db: Database): Promise<number> {
  const { rowCount } = await db.query(
    `with released as (
       delete from held_delivery using verified_address where verified_address.id = address_id returning delivery_id)
     update delivery set due_at = now() from released where delivery.id = delivery_id and state = 'waiting'`,
  );
  return rowCount;
}

/** Removes what no mail that is on its way can need any more. */
export async function pruneHolds(tx: Transaction): Promise<void> {
  await tx.query("delete from verified_address where verified_at < now() - make_interval(days => $1)", [
    verifiedRememberedDays,
  ]);
  await tx.query(
    `delete from held_delivery where expires_at < now()
        and not exists (select from delivery where delivery.id = delivery_id and state = 'waiting')`,
  );
}
