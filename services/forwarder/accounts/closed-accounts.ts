import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Channel, DeliverySettledSchema, Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { pruneClosedAccounts, recentlyClosed, rememberClosed } from "../../platform/accounts/closed-accounts.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";

interface CancelledRow {
  /** Null for a notice, of which no event tells. */
  emailId: string | null;
  noticeId: string | null;
  isAnswer: boolean;
  addressId: string;
  address: string;
  state: string;
  attemptCount: number;
}

/** Removes all that is kept for accounts that were closed; waiting deliveries are cancelled. */
export async function removeAccounts(tx: Transaction, ownerIds: readonly string[]): Promise<void> {
  await rememberClosed(tx, ownerIds);
  // Before deliveries: an answer that is being scheduled holds its row, and its deliveries are there once that is free.
  await tx.query("delete from answer where owner_id = any ($1::uuid[])", [ownerIds]);
  const { rows } = await tx.query<CancelledRow>(
    `delete from delivery where owner_id = any ($1::uuid[])
     returning email_id, notice_id, is_answer, address_id, address, state, jsonb_array_length(attempts) as attempt_count`,
    [ownerIds],
  );
  await tx.query("delete from notice where id = any ($1::uuid[])", [rows.flatMap((row) => row.noticeId ?? [])]);
  await tx.query("delete from paused_sending where owner_id = any ($1::uuid[])", [ownerIds]);
  await tx.query("delete from named_real_address where owner_id = any ($1::uuid[])", [ownerIds]);
  await tx.query("delete from complaint where owner_id = any ($1::uuid[])", [ownerIds]);
  await tx.query("delete from sent_count where owner_id = any ($1::uuid[])", [ownerIds]);
  await tx.query("delete from address_failure where owner_id = any ($1::uuid[])", [ownerIds]);
  await tx.query("delete from account_switch where id = any ($1::uuid[])", [ownerIds]);
  await tx.query("delete from suspension where owner_id = any ($1::uuid[])", [ownerIds]);
  const settledAt = timestampFromDate(new Date());
  const cancelled = rows.flatMap(({ emailId, ...row }) =>
    row.state === "waiting" && emailId !== null
      ? create(DeliverySettledSchema, {
          emailId,
          channel: row.isAnswer ? Channel.ANSWER : Channel.FORWARD,
          targetId: row.addressId,
          target: row.address,
          outcome: Outcome.CANCELLED,
          response: "the account was closed",
          attemptCount: row.attemptCount,
          settledAt,
        })
      : [],
  );
  await publish(
    tx,
    cancelled.map((message) => event(topics.deliverySettled, message)),
  );
}

/** The same for deliveries that came after the account was closed: of mail that was on its way or in flight. */
export async function removeLateArrivals(db: Database): Promise<boolean> {
  await db.tx(async (tx) => {
    await pruneClosedAccounts(tx);
    await removeAccounts(tx, await recentlyClosed(tx));
  });
  return false;
}
