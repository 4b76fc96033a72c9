import type { Readable } from "node:stream";
import type { ingressContract } from "../../ingress/contract.ts";
import type { BlobStore, PreparedBlob } from "../../platform/blobs/types.ts";
import type { Database } from "../../platform/db/types.ts";
import { asError, messageOf, Outage, Refusal } from "../../platform/errors.ts";
import { throughOutages } from "../../platform/events/retry.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import {
  extractContext,
  type SpanParticipant,
  traceHeaders,
  withSharedSpan,
  withSpan,
} from "../../platform/telemetry/spans.ts";
import type { ArrivalFeed } from "../browsing/arrival-feed.ts";
import { type ParsedMessage, parseMessage } from "../mime/message.ts";
import { claimJobs, type ParseJob, postponeJob } from "./parse-jobs.ts";
import { type ParsedMail, storeParsedMails } from "./store-parsed.ts";

const attemptLimit = 5;
const parseTimeoutMs = 100_000;
const retryAfterMs = 2_000;
const pollMs = 1_000;
const storeBackoff = { firstMs: 100, longestMs: 5_000 };

export interface ParseContext {
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly arrivals: Pick<ArrivalFeed, "publish">;
  readonly ingress: StreamClient<typeof ingressContract>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Seconds that a claimed job belongs to one worker. A message that takes longer may be parsed twice, and is stored once. */
  readonly leaseS: number;
}

/** Parses and stores the messages of pending parse jobs, a batch at a time. */
export function parseWork(parts: ParseContext): PollingTask {
  const run = (signal: AbortSignal) => parseDue(parts, signal);
  return new PollingTask({ name: "mail-parsing", intervalMs: pollMs, logger: parts.logger, run });
}

/** Parses one batch of due jobs at most; true if there was something to do. */
export async function parseDue(parts: ParseContext, signal: AbortSignal): Promise<boolean> {
  const fresh = await claimJobs(parts.db, "fresh", parts.leaseS);
  await processJobs(parts, fresh, signal);
  const again = await claimJobs(parts.db, "again", parts.leaseS);
  await processJobs(parts, again, signal);
  return fresh.length + again.length > 0;
}

async function processJobs(parts: ParseContext, jobs: readonly ParseJob[], signal: AbortSignal): Promise<void> {
  const outcomes = await Promise.all(
    jobs.map((job) =>
      withSpan("read message", { parent: job.trace, attributes: idsOf(job) }, () => parseJob(parts, job)),
    ),
  );
  const mails = outcomes.flatMap((outcome) => (outcome instanceof Error ? [] : [outcome]));
  const [fault] = outcomes.filter((outcome) => outcome instanceof Error);
  const { db, blobs, logger, metrics } = parts;
  if (fault) {
    const waiting = jobs.length - mails.length;
    logger.warn(
      { err: fault, emailId: jobs[outcomes.indexOf(fault)]?.emailId, waiting },
      `cannot parse email, retrying: ${messageOf(fault)}`,
    );
  }
  if (mails.length === 0) return;
  const participants = jobs.filter((_, index) => !(outcomes[index] instanceof Error)).map(participantOf);
  const store = () =>
    withSharedSpan("store message", { participants }, (spans) =>
      storeParsedMails(
        db,
        blobs,
        mails.map((mail, index) => ({ ...mail, trace: traceHeaders(spans[index]) })),
      ),
    );
  // A stop finishes the claimed jobs: otherwise they would wait until their leases expire.
  const stored = signal.aborted
    ? await store()
    : await throughOutages(store, {
        signal,
        backoff: storeBackoff,
        onOutage: (error) => logger.warn({ err: error }, `cannot store parsed email, retrying: ${messageOf(error)}`),
        onRecovery: () => logger.info("stored parsed email after an outage"),
      });
  metrics.counter("postern_mailbox_emails_stored_total", "Emails that were read and stored").inc(stored.length);
  await parts.arrivals.publish(stored.filter((email) => email.isBrowsable));
}

function idsOf({ emailId, attemptCount }: ParseJob) {
  return { "postern.email_id": emailId, "postern.attempt": attemptCount };
}

function participantOf(job: ParseJob): SpanParticipant {
  return { context: extractContext(job.trace), attributes: idsOf(job) };
}

/** Parses one message; gives the error if the job was postponed. */
async function parseJob(parts: ParseContext, job: ParseJob): Promise<Omit<ParsedMail, "trace"> | Error> {
  const { emailId, rawId } = job;
  if (job.attemptCount > attemptLimit) {
    return { emailId, message: unparsed(parts, emailId, `it could not be read in ${attemptLimit} attempts`) };
  }
  const prepared: PreparedBlob[] = [];
  const keep = async (bytes: Readable) => {
    const blob = await parts.blobs.prepare(bytes);
    prepared.push(blob);
    return blob;
  };
  try {
    const source = await parts.ingress.rawMessage({ rawId });
    const message = await parseMessage(source, keep, AbortSignal.timeout(parseTimeoutMs));
    if (message.fault !== null) countFault(parts, emailId, message.fault);
    return { emailId, message };
  } catch (error) {
    await Promise.all(prepared.map((blob) => parts.blobs.discard(blob)));
    if (error instanceof Refusal && error.kind === "NotFound") {
      return { emailId, message: unparsed(parts, emailId, "its raw bytes are gone") };
    }
    await postponeJob(parts.db, emailId, { delayMs: retryAfterMs, isCounted: !(error instanceof Outage) });
    return asError(error);
  }
}

function countFault({ logger, metrics }: ParseContext, emailId: string, fault: string): void {
  logger.warn({ emailId }, `email parsed only in part: ${fault}`);
  metrics.counter("postern_mailbox_unreadable_emails_total", "Emails that could not be read in full").inc();
}

/** For a message of which nothing but the envelope is known. */
function unparsed(parts: ParseContext, emailId: string, fault: string): ParsedMessage<PreparedBlob> {
  countFault(parts, emailId, fault);
  return { headers: [], text: null, html: null, attachments: [], fault };
}
