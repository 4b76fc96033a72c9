import type { Readable } from "node:stream";
import type { ingressContract } from "../../ingress/contract.ts";
import type { BlobStore, PreparedBlob } from "../../platform/blobs/types.ts";
import type { Database } from "../../platform/db/types.ts";
import { asError, messageOf, Outage, Refusal } from "../../platform/errors.ts";
import { throughOutages } from "../../platform/events/retry.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import { PollingWork } from "../../platform/runtime/polling-work.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { placeOf, type Share, traceHeaders, withSharedSpan, withSpan } from "../../platform/telemetry/spans.ts";
import type { Arrivals } from "../browsing/arrival-feed.ts";
import { type Message, readMessage } from "../mime/message.ts";
import { claimJobs, type ParseJob, postponeJob } from "./parse-jobs.ts";
import { type ReadMail, storeMails } from "./store-parsed.ts";

const attemptLimit = 5;
const readingLimitMs = 100_000;
const retryAfterMs = 2_000;
const pollMs = 1_000;
const storeBackoff = { firstMs: 100, longestMs: 5_000 };

export interface Parsing {
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly arrivals: Pick<Arrivals, "announce">;
  readonly ingress: StreamClient<typeof ingressContract>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** For how long a message is one worker's. One that takes longer may be read twice, and is stored once. */
  readonly leaseS: number;
}

/** Reads the messages that were accepted to be read, once each, a batch at a time, and stores what they say. */
export function parsing(parts: Parsing): PollingWork {
  const run = (signal: AbortSignal) => readDue(parts, signal);
  return new PollingWork({ name: "mail-parsing", intervalMs: pollMs, logger: parts.logger, run });
}

/** Reads what is due, a batch at most; true if there was something. */
export async function readDue(parts: Parsing, signal: AbortSignal): Promise<boolean> {
  const fresh = await claimJobs(parts.db, "fresh", parts.leaseS);
  await processJobs(parts, fresh, signal);
  const again = await claimJobs(parts.db, "again", parts.leaseS);
  await processJobs(parts, again, signal);
  return fresh.length + again.length > 0;
}

async function processJobs(parts: Parsing, jobs: readonly ParseJob[], signal: AbortSignal): Promise<void> {
  const outcomes = await Promise.all(
    jobs.map((job) =>
      withSpan("read message", { parent: job.trace, attributes: idsOf(job) }, () => readJob(parts, job)),
    ),
  );
  const mails = outcomes.flatMap((outcome) => (outcome instanceof Error ? [] : [outcome]));
  const [fault] = outcomes.filter((outcome) => outcome instanceof Error);
  const { db, blobs, logger, metrics } = parts;
  if (fault) {
    const waiting = jobs.length - mails.length;
    logger.warn(
      { err: fault, emailId: jobs[outcomes.indexOf(fault)]?.emailId, waiting },
      `mail waits to be read: ${messageOf(fault)}`,
    );
  }
  if (mails.length === 0) return;
  const shares = jobs.filter((_, index) => !(outcomes[index] instanceof Error)).map(shareOf);
  const store = () =>
    withSharedSpan("store message", { shares }, (spans) =>
      storeMails(
        db,
        blobs,
        mails.map((mail, index) => ({ ...mail, trace: traceHeaders(spans[index]) })),
      ),
    );
  // A stop that came while it was read finishes what is in hand: left behind, it would wait for the end of its lease.
  const stored = signal.aborted
    ? await store()
    : await throughOutages(store, {
        signal,
        backoff: storeBackoff,
        onOutage: (error) => logger.warn({ err: error }, `mail that was read waits to be stored: ${messageOf(error)}`),
        onRecovery: () => logger.info("mail that was read is stored"),
      });
  metrics.counter("postern_mailbox_emails_stored_total", "Emails that were read and stored").inc(stored.length);
  await parts.arrivals.announce(stored.filter((email) => email.isBrowsable));
}

function idsOf({ emailId, attemptCount }: ParseJob) {
  return { "postern.email_id": emailId, "postern.attempt": attemptCount };
}

function shareOf(job: ParseJob): Share {
  return { place: placeOf(job.trace), attributes: idsOf(job) };
}

/** Reads one message; what it failed with, if it was put back for later. */
async function readJob(parts: Parsing, job: ParseJob): Promise<Omit<ReadMail, "trace"> | Error> {
  const { emailId, rawId } = job;
  if (job.attemptCount > attemptLimit) {
    return { emailId, message: unread(parts, emailId, `it could not be read in ${attemptLimit} attempts`) };
  }
  const prepared: PreparedBlob[] = [];
  const keep = async (bytes: Readable) => {
    const blob = await parts.blobs.prepare(bytes);
    prepared.push(blob);
    return blob;
  };
  try {
    const source = await parts.ingress.rawMessage({ rawId });
    const message = await readMessage(source, keep, AbortSignal.timeout(readingLimitMs));
    if (message.fault !== null) countFault(parts, emailId, message.fault);
    return { emailId, message };
  } catch (error) {
    await Promise.all(prepared.map((blob) => parts.blobs.discard(blob)));
    if (error instanceof Refusal && error.kind === "NotFound") {
      return { emailId, message: unread(parts, emailId, "its raw bytes are gone") };
    }
    await postponeJob(parts.db, emailId, { delayMs: retryAfterMs, isCounted: !(error instanceof Outage) });
    return asError(error);
  }
}

function countFault({ logger, metrics }: Parsing, emailId: string, fault: string): void {
  logger.warn({ emailId }, `a message could not be read in full: ${fault}`);
  metrics.counter("postern_mailbox_unreadable_emails_total", "Emails that could not be read in full").inc();
}

/** A message of which nothing could be read but the envelope. */
function unread(parts: Parsing, emailId: string, fault: string): Message<PreparedBlob> {
  countFault(parts, emailId, fault);
  return { headers: [], text: null, html: null, attachments: [], fault };
}
