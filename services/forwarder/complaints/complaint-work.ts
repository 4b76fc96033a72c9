import type { ingressContract } from "../../ingress/contract.ts";
import type { ReversePaths } from "../../message/address/reverse-path.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { readReportBeginning } from "../bounces/report-parts.ts";
import { complainedDelivery } from "./complained-delivery.ts";
import { readComplaint } from "./read-complaint.ts";
import { type ComplaintMail, recordComplaint } from "./record-complaint.ts";

interface ComplaintWorkOptions {
  db: Database;
  ingress: StreamClient<typeof ingressContract>;
  reversePaths: ReversePaths;
  logger: Logger;
  metrics: Metrics;
  /** Called when an account may have to be paused. */
  wakePauses(): void;
}

const complaintMails: DueTable<ComplaintMail> = {
  name: "complaint_mail",
  key: { column: "email_id", of: ({ emailId }) => emailId },
  columns: "email_id, raw_id, reporter, received_at",
};

/** Reads the feedback reports that came to abuse@, and records those about what was sent. */
export function complaintWork(options: ComplaintWorkOptions): DueWorker<ComplaintMail> {
  const { db, logger, metrics } = options;
  const complaints = metrics.counter(
    "postern_complaints_total",
    "Feedback reports that came to abuse@, by what they are about: answer, forward, known or nothing of ours",
    ["about"],
  );
  return new DueWorker({
    name: "complaints",
    db,
    table: complaintMails,
    intervalMs: 2_000,
    limit: 16,
    visibilityTimeoutS: 60,
    process: async (mail) => complaints.inc({ about: await processMail(mail, options) }),
    logger,
    metrics,
  });
}

async function processMail(mail: ComplaintMail, options: ComplaintWorkOptions): Promise<string> {
  const { db, logger, wakePauses } = options;
  const complaint = await read(mail, options);
  const delivery = complaint && (await complainedDelivery(options, complaint, mail.receivedAt));
  if (!delivery) {
    logger.info(
      { email: mail.emailId, isReport: complaint !== undefined },
      "a feedback report is about nothing that was sent",
    );
    await recordComplaint(db, mail, undefined);
    return "nothing";
  }
  const isNew = await recordComplaint(db, mail, { complaint, delivery });
  if (!isNew) return "known";
  const { emailId, ownerId, isAnswer } = delivery;
  logger.warn(
    { emailId, ownerId, feedbackType: complaint.feedbackType, reporter: mail.reporter },
    "a recipient complained",
  );
  if (isAnswer) wakePauses();
  return isAnswer ? "answer" : "forward";
}

/** Undefined where its bytes are gone as well. @throws Outage */
async function read({ rawId }: ComplaintMail, { ingress }: ComplaintWorkOptions) {
  try {
    return readComplaint(await readReportBeginning(ingress, rawId));
  } catch (error) {
    if (error instanceof Refusal && error.kind === "NotFound") return undefined;
    throw error;
  }
}
