import type { PreparedBlob } from "../../platform/blobs/types.ts";
import { Batcher } from "../../platform/concurrency/batcher.ts";
import { throughOutages } from "../../platform/concurrency/retry.ts";
import type { Database } from "../../platform/db/types.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
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
import { attemptLimit, type MessageParser } from "./message-parser.ts";
import type { ParsedContent } from "./parse-content.ts";
import { type JobClass, type ParseJob, parseTable } from "./parse-jobs.ts";
import { storeParsedMails } from "./store-parsed.ts";

const batchLimit = 32;
const storeBackoff = { firstMs: 100, maxMs: 5_000 };
const parseBackoff = { firstMs: 2_000, maxMs: 60_000 };
/** After the parser's own limit, at which nothing but the envelope is stored: then it is the storing that fails. */
const maxAttempts = attemptLimit + 3;

interface ParseContext {
  readonly db: Database;
  readonly stores: ContentStores;
  readonly parser: Pick<MessageParser, "parse">;
  readonly arrivals: Pick<ArrivalFeed, "publish">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Seconds that a claimed job belongs to one worker. A message that takes longer may be parsed twice, and is stored once. */
  readonly visibilityTimeoutS: number;
}

interface Parsed {
  readonly job: ParseJob;
  readonly content: ParsedContent<PreparedBlob>;
  readonly signal: AbortSignal;
}

/** Parses and stores the messages of pending parse jobs: a batch of small ones at a time, and beside them one large one. */
export function parseWork(context: ParseContext): Record<JobClass, DueWorker<ParseJob>> {
  const { db, parser, logger, metrics, visibilityTimeoutS } = context;
  const stored = new Batcher<Parsed, undefined>({
    slots: 2,
    maxItems: batchLimit,
    lingerMs: 10,
    // The email that cannot be stored counts an attempt, and is parked after the last.
    onFailure: "isolate",
    run: (parsed) => storeAll(context, parsed),
  });
  const worker = (name: string, which: JobClass, limit: number) =>
    new DueWorker({
      name,
      db,
      table: parseTable(which),
      intervalMs: 1_000,
      limit,
      visibilityTimeoutS,
      maxAttempts,
      backoff: parseBackoff,
      async process(job, signal) {
        const content = await withSpan("read message", { parent: job.trace, attributes: idsOf(job) }, () =>
          parser.parse(job),
        );
        await stored.submit({ job, content, signal });
      },
      logger,
      metrics,
    });
  return {
    small: worker("mail-parsing", "small", batchLimit),
    "small again": worker("mail-parsing again", "small again", 1),
    large: worker("large-mail-parsing", "large", 1),
  };
}

async function storeAll(context: ParseContext, parsed: readonly Parsed[]): Promise<undefined[]> {
  const { db, stores, logger, metrics, arrivals } = context;
  const store = () =>
    withSharedSpan("store message", { participants: parsed.map(({ job }) => participantOf(job)) }, (spans) =>
      storeParsedMails(
        db,
        stores,
        parsed.map(({ job, content }, index) => ({ emailId: job.emailId, content, trace: traceHeaders(spans[index]) })),
      ),
    );
  // A stop finishes the claimed jobs: otherwise they would wait until their leases expire.
  const [signal] = parsed.flatMap((each) => (each.signal.aborted ? [] : [each.signal]));
  const emails = await (signal
    ? throughOutages(store, {
        signal,
        backoff: storeBackoff,
        onOutage: (error) => logger.warn({ err: error }, "cannot store parsed email, retrying"),
        onRecovery: () => logger.info("stored parsed email after an outage"),
      })
    : store());
  metrics.counter("postern_mailbox_emails_stored_total", "Emails that were read and stored").inc(emails.length);
  await arrivals.publish(emails.filter((email) => email.isBrowsable));
  return parsed.map(() => undefined);
}

function idsOf({ emailId, attemptCount }: ParseJob) {
  return { "postern.email_id": emailId, "postern.attempt": attemptCount };
}

function participantOf(job: ParseJob): SpanParticipant {
  return { context: extractContext(job.trace), attributes: () => idsOf(job) };
}
