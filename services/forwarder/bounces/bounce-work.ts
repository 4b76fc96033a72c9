import type { ingressContract } from "../../ingress/contract.ts";
import type { ReversePaths } from "../../message/address/reverse-path.ts";
import type { HeaderField } from "../../message/header/fields.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import { deliveryColumns } from "../deliveries/delivery.ts";
import type { FailureEffects } from "../deliveries/permanent-failures.ts";
import { classifyReply, countsAgainstAddress, type ReplyClass } from "../replies/classify-reply.ts";
import type { AuthorReports } from "../reports/author-reports.ts";
import { describeFailure } from "../reports/failure-description.ts";
import type { OriginalFingerprints } from "../reports/original-fingerprints.ts";
import { type Bounce, readBounce } from "./read-bounce.ts";
import { type ReturnedMail, recordBounce } from "./record-bounce.ts";
import { readReportBeginning, returnedHeader } from "./report-parts.ts";

interface BounceWorkOptions {
  db: Database;
  ingress: StreamClient<typeof ingressContract>;
  reversePaths: ReversePaths;
  reports: AuthorReports;
  fingerprints: OriginalFingerprints;
  logger: Logger;
  metrics: Metrics;
  /** Called with each bounce that was matched to a delivery. */
  onBounce(delivery: Delivery, kind: Bounce["kind"], reply: ReplyClass): void;
  /** Called when a report to an author may be waiting. */
  wake(): void;
}

/** A delivery, and what was noted when it was sent. */
type SentDelivery = Delivery & {
  isAnswerable: boolean | null;
  originalFingerprint: string | null;
};

interface ReadBounce {
  bounce: Bounce;
  /** The header of the message that came back with it, if it did. */
  returned: readonly HeaderField[];
}

const returnedMails: DueTable<ReturnedMail> = {
  name: "returned_mail",
  key: { column: "email_id", of: ({ emailId }) => emailId },
  columns: "email_id, raw_id, recipient, envelope_sender, received_at",
};

/** Reads the mail that came back to reverse paths. */
export function bounceWork(options: BounceWorkOptions): DueWorker<ReturnedMail> {
  const { db, logger, metrics } = options;
  const reader = new BounceReader(options);
  return new DueWorker({
    name: "bounces",
    db,
    table: returnedMails,
    intervalMs: 2_000,
    limit: 16,
    visibilityTimeoutS: 60,
    process: (mail) => reader.process(mail),
    logger,
    metrics,
  });
}

/** Records what a returned mail says of its delivery, and releases its bytes. */
class BounceReader {
  readonly #options: BounceWorkOptions;

  constructor(options: BounceWorkOptions) {
    this.#options = options;
  }

  async process(mail: ReturnedMail): Promise<void> {
    const { db, reversePaths, logger, onBounce, wake } = this.#options;
    const deliveryId = reversePaths.read(mail.recipient, mail.receivedAt);
    const delivery = deliveryId && (await this.#delivery(deliveryId));
    const read = delivery ? await this.#read(mail, delivery) : undefined;
    if (!delivery || !read) {
      logger.info(
        { email: mail.emailId, isMatched: Boolean(delivery) },
        "discarded mail to a reverse path: it reports no failure of a known delivery",
      );
      return recordBounce(db, mail, undefined);
    }
    const { bounce } = read;
    const reply = classifyReply(bounce.response);
    await recordBounce(db, mail, { delivery, bounce, reply, ...(await this.#effectsOf(delivery, read, reply)) });
    onBounce(delivery, bounce.kind, reply);
    wake();
  }

  async #delivery(id: string): Promise<SentDelivery | undefined> {
    const { rows } = await this.#options.db.query<SentDelivery>(
      `select ${deliveryColumns}, is_answerable, original_seal as original_fingerprint from delivery where id = $1`,
      [id],
    );
    return rows[0];
  }

  /** Undefined when it reports no failure, or its bytes are gone. @throws Outage */
  async #read({ rawId, envelopeSender }: ReturnedMail, { address }: Delivery): Promise<ReadBounce | undefined> {
    try {
      const message = await readReportBeginning(this.#options.ingress, rawId);
      const bounce = readBounce(message, envelopeSender === "", address);
      return bounce && { bounce, returned: returnedHeader(message) };
    } catch (error) {
      if (error instanceof Refusal && error.kind === "NotFound") return undefined;
      throw error;
    }
  }

  async #effectsOf(
    delivery: SentDelivery,
    { bounce, returned }: ReadBounce,
    reply: ReplyClass,
  ): Promise<FailureEffects> {
    const { kind, response } = bounce;
    if (kind === "delayed" || delivery.kind === "notice") return { report: undefined, countsAgainstAddress: false };
    const { reports, fingerprints } = this.#options;
    if (delivery.kind === "answer")
      return {
        report: reports.draftForAnswer(delivery, describeFailure(response, reply)),
        countsAgainstAddress: false,
      };
    const isAnswerable = delivery.isAnswerable === true;
    const original = fingerprints.recognize(delivery.originalFingerprint, returned);
    const failure = { ...describeFailure(response, reply), isAnswerable, original };
    return { report: await reports.draft(delivery, failure), countsAgainstAddress: countsAgainstAddress(reply) };
  }
}
