import { domainOf } from "../../message/address/addr-spec.ts";
import { isAscii } from "../../message/coding/ascii.ts";
import { isAutomatic } from "../../message/header/auto-submitted.ts";
import { bodyOf, type HeaderField, parseFields } from "../../message/header/fields.ts";
import { messageIdsIn } from "../../message/header/sealed-message-id.ts";
import { splitMessage } from "../../message/header/section.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { DueRow, DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
import { organisationalDomain } from "../../platform/net/organisational-domain.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { messageIdDigest } from "../complaints/complained-delivery.ts";
import type { AnswerContent } from "./answer.ts";
import { cancelled, expireAnswer, holdAnswer } from "./held-answers.ts";
import type { OutgoingAnswers } from "./outgoing/outgoing-answers.ts";

interface AnswerWorkOptions {
  db: Database;
  answers: Pick<OutgoingAnswers, "compose">;
  publicUrl: string;
  serviceName: string;
  /** Seconds after which answers of a worker that died are taken up again; one that two take up is scheduled once. */
  leaseS: number;
  logger: Logger;
  metrics: Metrics;
  /** Called when deliveries became due. */
  wake(): void;
}

interface AnswerRow extends DueRow {
  emailId: string;
  content: AnswerContent;
  state: "waiting" | "held";
  isForced: boolean;
  trace: Record<string, string>;
  receivedAt: Date;
}

const answerTable: DueTable<AnswerRow> = {
  name: "answer",
  key: { column: "email_id", of: ({ emailId }) => emailId },
  columns: "email_id, content, state, is_forced, trace, received_at",
  claimable: "state in ('waiting', 'held')",
};

const newDeliveries = recordSet({
  id: "uuid",
  emailId: "uuid",
  ownerId: "uuid",
  bindingId: "uuid",
  addressId: "uuid",
  address: "text",
  domain: "text",
  organisationalDomain: "text",
  sizeBytes: "integer",
  receivedAt: "timestamptz",
  proxyAddress: "text",
  smtpUtf8: "boolean",
  eightBitMime: "boolean",
  trace: "jsonb",
});

/** Decides of each answer whether it leaves: searches what would leave for real addresses, then schedules its deliveries or holds it. */
export function answerWork(options: AnswerWorkOptions): DueWorker<AnswerRow> {
  const { db, logger, metrics, leaseS } = options;
  const composed = metrics.counter("postern_answers_total", "Answers and mail of owners, by what came of them", [
    "outcome",
  ]);
  return new DueWorker({
    name: "answers",
    db,
    table: answerTable,
    intervalMs: 2_000,
    limit: 8,
    visibilityTimeoutS: leaseS,
    process: async (row) => composed.inc({ outcome: await processAnswer(row, options) }),
    logger,
    metrics,
  });
}

async function processAnswer(row: AnswerRow, options: AnswerWorkOptions): Promise<string> {
  const { db, answers, wake } = options;
  const { content: answer, trace } = row;
  if (row.state === "held") {
    await db.tx((tx) => expireAnswer(tx, { answer, trace }, options));
    return "expired";
  }
  const composed = await answers.compose(answer).catch((error: unknown) => {
    if (error instanceof Refusal && error.kind === "NotFound") return undefined;
    throw error;
  });
  if (!composed) {
    await db.tx((tx) => discard(tx, answer, trace));
    return "lost";
  }
  if (composed.leaks.length > 0 && (!row.isForced || composed.message.length === 0)) {
    await db.tx((tx) => holdAnswer(tx, { answer, places: composed.leaks, trace }, options));
    wake();
    return "held";
  }
  // As it is, says the link: what its owner let leave is not replaced either.
  const namesKept = composed.quotesRealAddress;
  const { mentioned } = composed;
  const content = namesKept ? { ...answer, mentioned, namesKept } : { ...answer, mentioned };
  const { message } = namesKept ? await answers.compose(content) : composed;
  await db.tx((tx) => schedule(tx, { ...row, content }, message));
  wake();
  return "sent";
}

/** The message is no longer kept. */
async function discard(tx: Transaction, answer: AnswerContent, trace: Record<string, string>): Promise<void> {
  await tx.query("update answer set state = 'expired', due_at = 'infinity' where email_id = $1", [answer.emailId]);
  await publish(tx, cancelled(answer, "the message is no longer kept, so it cannot be sent", trace));
}

async function schedule(tx: Transaction, row: AnswerRow, message: Buffer): Promise<void> {
  const { content: answer, receivedAt, trace } = row;
  const { header } = splitMessage(message);
  const fields = parseFields(header);
  const { rowCount } = await tx.query(
    `update answer set state = 'sent', due_at = 'infinity', message_id_digest = $2, content = $3::jsonb, is_automatic = $4
      where email_id = $1 and state = 'waiting'`,
    [answer.emailId, messageIdDigest(messageIdOf(fields)), JSON.stringify(answer), isAutomatic(fields)],
  );
  if (rowCount === 0) return;
  const isHeaderWide = header.some((octet) => octet > 0x7f);
  const eightBitMime = message.some((octet) => octet > 0x7f);
  const { emailId, ownerId, bindingId, proxyAddress } = answer;
  await tx.query(
    `insert into delivery (${newDeliveries.columns}, is_answer) select *, true from ${newDeliveries.from("answered")}
     on conflict (email_id, address) do nothing`,
    newDeliveries.params(
      answer.recipients.map(({ contactId, address }) => ({
        id: newId(),
        emailId,
        ownerId,
        bindingId,
        addressId: contactId,
        address,
        domain: domainOf(address),
        organisationalDomain: organisationalDomain(domainOf(address)),
        sizeBytes: message.length,
        receivedAt,
        proxyAddress,
        eightBitMime,
        trace,
        smtpUtf8: isHeaderWide || !isAscii(address),
      })),
    ),
    { name: "schedule_answer" },
  );
}

/** As it left with. */
function messageIdOf(fields: readonly HeaderField[]): string {
  return messageIdsIn(bodyOf(fields, "message-id") ?? "")[0] ?? "";
}
