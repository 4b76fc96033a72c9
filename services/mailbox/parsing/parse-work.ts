import type { PreparedBlob } from "../../platform/blobs/types.ts";
import type { Database } from "../../platform/db/types.ts";
import { messageOf } from "../../platform/errors.ts";
import { throughOutages } from "../../platform/events/retry.ts";
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
import type { ContentStores } from "../emails/storage-quota.ts";
import type { MessageParser } from "./message-parser.ts";
import type { ParsedContent } from "./parse-content.ts";
import { claimJobs, type JobClass, type ParseJob } from "./parse-jobs.ts";
import { type StoredEmail, storeParsedMails } from "./store-parsed.ts";

const pollMs = 1_000;
const storeBackoff = { firstMs: 100, longestMs: 5_000 };

export interface ParseContext {
  readonly db: Database;
  readonly stores: ContentStores;
  readonly parser: Pick<MessageParser, "parse">;
  readonly arrivals: Pick<ArrivalFeed, "publish">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Seconds that a claimed job belongs to one worker. A message that takes longer may be parsed twice, and is stored once. */
  readonly leaseS: number;
}

/** Parses and stores the messages of pending parse jobs: a batch of small ones at a time, and beside them one large one. */
export function parseWorks(context: ParseContext): PollingTask[] {
  const work = (name: string, classes: readonly JobClass[]) =>
    new PollingTask({
      name,
      intervalMs: pollMs,
      logger: context.logger,
      run: (signal) => parseDue(context, classes, signal),
    });
  return [work("mail-parsing", ["small", "small again"]), work("large-mail-parsing", ["large"])];
}

/** Parses one batch of due jobs of each class at most; true if there was something to do. */
export async function parseDue(
  context: ParseContext,
  classes: readonly JobClass[],
  signal: AbortSignal,
): Promise<boolean> {
  let isBusy = false;
  for (const which of classes) {
    const jobs = await claimJobs(context.db, which, context.leaseS);
    await processJobs(context, jobs, signal);
    isBusy ||= jobs.length > 0;
  }
  return isBusy;
}

interface Parsed {
  readonly job: ParseJob;
  readonly content: ParsedContent<PreparedBlob>;
}

async function processJobs(context: ParseContext, jobs: readonly ParseJob[], signal: AbortSignal): Promise<void> {
  const outcomes = await Promise.all(
    jobs.map(async (job) => ({
      job,
      content: await withSpan("read message", { parent: job.trace, attributes: idsOf(job) }, () =>
        context.parser.parse(job),
      ),
    })),
  );
  const parsed = outcomes.filter((outcome): outcome is Parsed => !(outcome.content instanceof Error));
  const failed = outcomes.find(({ content }) => content instanceof Error);
  if (failed) {
    const postponed = jobs.length - parsed.length;
    context.logger.warn(
      { err: failed.content, emailId: failed.job.emailId, postponed },
      `cannot parse email, retrying: ${messageOf(failed.content)}`,
    );
  }
  if (parsed.length > 0) await storeAll(context, parsed, signal);
}

async function storeAll(context: ParseContext, parsed: readonly Parsed[], signal: AbortSignal): Promise<void> {
  const { db, stores, logger, metrics, arrivals } = context;
  const store = (): Promise<StoredEmail[]> =>
    withSharedSpan("store message", { participants: parsed.map(({ job }) => participantOf(job)) }, (spans) =>
      storeParsedMails(
        db,
        stores,
        parsed.map(({ job, content }, index) => ({ emailId: job.emailId, content, trace: traceHeaders(spans[index]) })),
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
  await arrivals.publish(stored.filter((email) => email.isBrowsable));
}

function idsOf({ emailId, attemptCount }: ParseJob) {
  return { "postern.email_id": emailId, "postern.attempt": attemptCount };
}

function participantOf(job: ParseJob): SpanParticipant {
  return { context: extractContext(job.trace), attributes: idsOf(job) };
}
