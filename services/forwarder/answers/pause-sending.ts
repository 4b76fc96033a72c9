import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { authContract } from "../../auth/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { event, publish } from "../../platform/events/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

export interface PauseOptions {
  db: Database;
  auth: Pick<Client<typeof authContract>, "account">;
  serviceName: string;
  serviceDomain: string;
  logger: Logger;
}

const countedDays = 7;
const fewest = 50;
const mostFailed = 0.05;

/** Pauses accounts of whose answers more than 5 % failed for good: what else they send waits until the operator resumes them. */
export function pauseSending(options: PauseOptions): PollingTask {
  return new PollingTask({
    name: "sending-pauses",
    intervalMs: 60_000,
    logger: options.logger,
    async run() {
      await pauseFailing(options);
      return false;
    },
  });
}

async function pauseFailing(options: PauseOptions): Promise<void> {
  const { db } = options;
  await db.query("delete from sent_count where day < current_date - $1::integer", [countedDays]);
  const { rows } = await db.query<{ ownerId: string }>(
    `select owner_id from sent_count where not exists (select from paused_sending where paused_sending.owner_id = sent_count.owner_id)
      group by owner_id having sum(settled) >= $1 and sum(failed) > $2::float8 * sum(settled)`,
    [fewest, mostFailed],
  );
  for (const { ownerId } of rows) await pause(ownerId, options);
}

async function pause(ownerId: string, { db, auth, serviceName, serviceDomain, logger }: PauseOptions): Promise<void> {
  const account = await auth.account({ id: ownerId }).catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === "NotFound") return undefined;
    throw error;
  });
  await db.tx(async (tx) => {
    const { rowCount } = await tx.query("insert into paused_sending (owner_id) values ($1) on conflict do nothing", [
      ownerId,
    ]);
    if (rowCount === 0) return;
    const notices = [
      ...(account?.username.includes("@") ? [{ recipient: account.username, text: ownersText(serviceName) }] : []),
      { recipient: `postmaster@${serviceDomain}`, text: operatorsText(ownerId) },
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
  logger.warn({ ownerId }, "paused the sending of an account: too much of what it sent failed for good");
}

function ownersText(serviceName: string): string {
  return `Of the mail that you sent from your proxy addresses lately, more than 5 % could not be delivered for good. What you send from
now on waits: ${serviceName} sends it once its operator has looked into it. Mail that comes to you is not affected.
`;
}

function operatorsText(ownerId: string): string {
  return `Of the mail that the account

    ${ownerId}

sent from proxy addresses within ${countedDays} days, more than 5 % failed for good. What it sends waits. To let it go on:

    npm run admin -- sending resume ${ownerId}
`;
}

/** Accounts whose sending is paused, the longest first. */
export async function listPaused(db: Database): Promise<{ ownerId: string; pausedAt: string }[]> {
  const { rows } = await db.query<{ ownerId: string; pausedAt: Date }>(
    "select owner_id, paused_at from paused_sending order by paused_at",
  );
  return rows.map(({ ownerId, pausedAt }) => ({ ownerId, pausedAt: pausedAt.toISOString() }));
}

/** Counting begins anew. False if it was not paused. */
export async function resumeSending(db: Database, ownerId: string): Promise<boolean> {
  return db.tx(async (tx) => {
    await tx.query("delete from sent_count where owner_id = $1", [ownerId]);
    const { rowCount } = await tx.query("delete from paused_sending where owner_id = $1", [ownerId]);
    return rowCount > 0;
  });
}

/** A condition on each delivery that is claimed: answers of an account whose sending is paused wait. */
export const isSendingAllowed =
  "not (is_answer and exists (select from paused_sending where paused_sending.owner_id = delivery.owner_id))";
