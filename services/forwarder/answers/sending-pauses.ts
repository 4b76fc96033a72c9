import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { SendingSwitchedSchema } from "../../../proto/gen/postern/forwarder/v1/sending_switched_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { authContract } from "../../auth/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { event, type OutgoingEvent, publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

interface PauseOptions {
  db: Database;
  auth: Pick<Client<typeof authContract>, "account">;
  serviceName: string;
  serviceDomain: string;
  logger: Logger;
  /** Registered domains whose people complained, and of what was sent the percentage that they have to exceed. */
  complaints: { minOrganisations: number; percent: number };
}

type PauseReason = "failures" | "complaints";

const countedDays = 7;
const minSettled = 50;
const maxFailedPercent = 5;

/**
 * Pauses accounts of whose answers too many failed for good, or drew complaints: what else they send waits until the operator
 * resumes them.
 */
export function pauseSending(options: PauseOptions): PollingTask {
  return new PollingTask({
    name: "sending-pauses",
    intervalMs: 60_000,
    logger: options.logger,
    async run() {
      await pauseFailing(options);
      await pauseComplained(options);
      return false;
    },
  });
}

const reporters = "count(distinct nullif(reporter_domain, ''))";
const contacts = "count(distinct nullif(contact_domain, ''))";

async function pauseFailing(options: PauseOptions): Promise<void> {
  const { db } = options;
  await db.query("delete from sent_count where day < current_date - $1::integer", [countedDays]);
  const { rows } = await db.query<{ ownerId: string }>(
    `select owner_id from sent_count where not exists (select from paused_sending where paused_sending.owner_id = sent_count.owner_id)
      group by owner_id having sum(settled) >= $1 and 100 * sum(failed) > $2::float8 * sum(settled)`,
    [minSettled, maxFailedPercent],
  );
  for (const { ownerId } of rows) await pause(ownerId, "failures", options);
}

/**
 * As many as there are registered domains both of reporters and of contacts: who has many addresses in a few domains must not stop an
 * account.
 */
async function pauseComplained(options: PauseOptions): Promise<void> {
  const { db, complaints } = options;
  const { rows } = await db.query<{ ownerId: string }>(
    `select owner_id from complaint
      where is_answer and is_counted and complained_at > now() - make_interval(days => $1)
        and not exists (select from paused_sending where paused_sending.owner_id = complaint.owner_id)
      group by owner_id
     having least(${reporters}, ${contacts}) >= $2
        and least(${reporters}, ${contacts}) * 100 > $3::integer * (
          select coalesce(sum(settled), 0) from sent_count where sent_count.owner_id = complaint.owner_id)`,
    [countedDays, complaints.minOrganisations, complaints.percent],
  );
  for (const { ownerId } of rows) await pause(ownerId, "complaints", options);
}

async function pause(ownerId: string, reason: PauseReason, options: PauseOptions): Promise<void> {
  const { db, auth, serviceName, serviceDomain, logger } = options;
  const account = await auth.account({ id: ownerId }).catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === "NotFound") return undefined;
    throw error;
  });
  await db.tx(async (tx) => {
    const { rowCount } = await tx.query(
      "insert into paused_sending (owner_id, reason) values ($1, $2) on conflict do nothing",
      [ownerId, reason],
    );
    if (rowCount === 0) return;
    await publish(tx, sendingSwitched(ownerId, true));
    const notices = [
      ...(account?.username.includes("@")
        ? [{ recipient: account.username, text: ownerNoticeText(reason, serviceName) }]
        : []),
      { recipient: `postmaster@${serviceDomain}`, text: operatorNoticeText(reason, ownerId) },
    ];
    await publish(
      tx,
      notices.map(({ recipient, text }) =>
        event(
          topics.noticeRequested,
          create(NoticeRequestedSchema, {
            noticeId: newId(),
            accountId: ownerId,
            recipient,
            subject: `${serviceName}: sending was paused`,
            text,
            requestedAt: timestampFromDate(new Date()),
            kind: "sending-paused",
          }),
        ),
      ),
    );
  });
  logger.warn(
    { ownerId, reason },
    "paused the sending of an account: too much of what it sent failed, or drew complaints",
  );
}

function sendingSwitched(accountId: string, isPaused: boolean): OutgoingEvent {
  const switchedAt = timestampFromDate(new Date());
  return event(topics.sendingSwitched, create(SendingSwitchedSchema, { accountId, isPaused, switchedAt }));
}

const whatHappened: Readonly<Record<PauseReason, string>> = {
  failures: `more than ${maxFailedPercent} % could not be delivered for good`,
  complaints: "some was reported as unwanted by those who got it",
};

function ownerNoticeText(reason: PauseReason, serviceName: string): string {
  return `Of the mail that you sent from your proxy addresses lately, ${whatHappened[reason]}. What was
taken before waits, and what you send from now on is put off: ${serviceName} sends it once its operator has looked into it. Mail that
comes to you is not affected.
`;
}

function operatorNoticeText(reason: PauseReason, ownerId: string): string {
  const details = reason === "complaints" ? "\nThe complaints:\n\n    npm run admin -- sending complaints\n" : "";
  return `Of the mail that the account

    ${ownerId}

sent from proxy addresses within ${countedDays} days, ${whatHappened[reason]}. What it sends waits.
${details}
To let it go on:

    npm run admin -- sending resume ${ownerId}
`;
}

/** Accounts whose sending is paused, the longest first. */
export async function listPaused(db: Database): Promise<{ ownerId: string; pausedAt: string; reason: string }[]> {
  const { rows } = await db.query<{ ownerId: string; pausedAt: Date; reason: string }>(
    "select owner_id, paused_at, reason from paused_sending order by paused_at",
  );
  return rows.map((row) => ({ ...row, pausedAt: row.pausedAt.toISOString() }));
}

/** Counting begins anew. False if it was not paused. */
export async function resumeSending(db: Database, ownerId: string): Promise<boolean> {
  return db.tx(async (tx) => {
    await tx.query("delete from sent_count where owner_id = $1", [ownerId]);
    await tx.query("update complaint set is_counted = false where owner_id = $1", [ownerId]);
    const { rowCount } = await tx.query("delete from paused_sending where owner_id = $1", [ownerId]);
    if (rowCount > 0) await publish(tx, sendingSwitched(ownerId, false));
    return rowCount > 0;
  });
}

/** A condition on each delivery that is claimed: answers of an account whose sending is paused wait. */
export const isSendingAllowed =
  "not (is_answer and exists (select from paused_sending where paused_sending.owner_id = delivery.owner_id))";
