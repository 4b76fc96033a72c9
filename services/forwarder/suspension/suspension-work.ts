import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { authContract } from "../../auth/contract.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { DueRow, DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";

interface SuspensionWorkOptions {
  db: Database;
  bindings: Pick<Client<typeof bindingsContract>, "disableRealAddress">;
  auth: Pick<Client<typeof authContract>, "account">;
  serviceName: string;
  logger: Logger;
  metrics: Metrics;
}

interface Suspension extends DueRow {
  id: string;
  ownerId: string;
  addressKey: string;
  address: string;
  decidedAt: Date;
}

/** Its key is made from what it is about, which stays out of lists of dead jobs. */
const suspensionId = "md5(owner_id::text || address_key)::uuid";

const suspensions: DueTable<Suspension> = {
  name: "suspension",
  key: { column: suspensionId, of: ({ id }) => id },
  columns: `${suspensionId} as id, owner_id, address_key, address, decided_at`,
};

/** Tells bindings and the owner which real addresses nothing is forwarded to any more. */
export function suspensionWork(options: SuspensionWorkOptions): DueWorker<Suspension> {
  const { db, logger, metrics } = options;
  return new DueWorker({
    name: "suspensions",
    db,
    table: suspensions,
    intervalMs: 5_000,
    limit: 4,
    visibilityTimeoutS: 60,
    process: (suspension) => suspend(suspension, options),
    logger,
    metrics,
  });
}

/**
 * Each step may be repeated: the address stays off, and the notice is published as the row is deleted. Mail that was accepted
 * before an address was disabled goes on failing, and leads to further decisions: of those the owner hears nothing.
 */
async function suspend(suspension: Suspension, { db, bindings, auth, serviceName, logger }: SuspensionWorkOptions) {
  const { ownerId, addressKey, address, decidedAt } = suspension;
  const { enableLink, isNew } = await bindings.disableRealAddress({
    ownerId,
    address,
    decidedAt: decidedAt.toISOString(),
  });
  const account = await auth.account({ id: ownerId }).catch((error) => {
    if (error instanceof Refusal && error.kind === "NotFound") return undefined;
    throw error;
  });
  await db.tx(async (tx) => {
    const { rowCount } = await tx.query("delete from suspension where owner_id = $1 and address_key = $2", [
      ownerId,
      addressKey,
    ]);
    await tx.query("delete from address_failure where owner_id = $1 and address_key = $2", [ownerId, addressKey]);
    if (rowCount === 0 || !isNew || !account?.username.includes("@") || account.isDisabled) return;
    await publish(
      tx,
      event(
        topics.noticeRequested,
        create(NoticeRequestedSchema, {
          noticeId: newId(),
          recipient: account.username,
          accountId: ownerId,
          subject: "Forwarding to one of your addresses was stopped",
          text: noticeText(address, enableLink, serviceName),
          requestedAt: timestampFromDate(new Date()),
          kind: "address-suspended",
        }),
      ),
    );
  });
  logger.info({ ownerId }, "suspended a real address after too many permanent failures");
}

function noticeText(address: string, enableLink: string | null, serviceName: string): string {
  const remedy = enableLink
    ? `Once it takes mail again, open this link and confirm:\n\n    ${enableLink}\n`
    : "Once it takes mail again, switch it on where you manage your proxy addresses.\n";
  return `The mail server of

    ${address}

has refused mail for good several times within a week, so ${serviceName} forwards nothing there any more. Your proxy
addresses still take mail, and forward it to your other addresses. One that leads nowhere else tells senders for three days
to try again later, and refuses mail from then on.

${remedy}`;
}
