import type { Readable } from "node:stream";
import type { Counter } from "prom-client";
import type { ingressContract } from "../../ingress/contract.ts";
import type { BlobStore, PreparedBlob } from "../../platform/blobs/types.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { type ContentLimits, inlineBytes } from "../limits.ts";
import { summarize } from "../lists/summary.ts";
import { BudgetExceeded } from "../workers/budget-exceeded.ts";
import type { Workers } from "../workers/worker-pool.ts";
import { type ParsedContent, parseContent } from "./parse-content.ts";
import { parseInWorker } from "./parse-in-worker.ts";
import { beginFullAttempt, endFullAttempt, type ParseJob } from "./parse-jobs.ts";
import { parseReduced } from "./parse-reduced.ts";

type Content = ParsedContent<PreparedBlob>;

interface MessageParserDependencies {
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly ingress: StreamClient<typeof ingressContract>;
  readonly workers: Workers;
  readonly limits: ContentLimits;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** After so many attempts at a message nothing but its envelope is stored. */
export const attemptLimit = 5;
const parseTimeoutMs = 100_000;
/** Longer than a worker may take for one message. */
const fullAttemptLeaseS = 120;

/** Parses the message of a job: a small one directly, a large one in a worker, one that exceeded its budget in its reduced form. */
export class MessageParser {
  readonly #dependencies: MessageParserDependencies;
  /** There from the start: a rate does not see what a counter begins with. */
  readonly #unreadable: Counter;

  constructor(dependencies: MessageParserDependencies) {
    this.#dependencies = dependencies;
    this.#unreadable = dependencies.metrics.counter(
      "postern_mailbox_unreadable_emails_total",
      "Emails that could not be read in full",
    );
  }

  /** @throws Outage, or the error of an attempt that may be repeated. */
  async parse(job: ParseJob): Promise<Content> {
    const { db, blobs, ingress } = this.#dependencies;
    if (job.attemptCount > attemptLimit) return this.#unparsed(job, `it could not be read in ${attemptLimit} attempts`);
    const prepared: PreparedBlob[] = [];
    const store = async (bytes: Readable) => {
      const blob = await blobs.prepare(bytes);
      prepared.push(blob);
      return blob;
    };
    try {
      const content = await this.#parse(job, () => ingress.rawMessage({ rawId: job.rawId }, job.sizeBytes), store);
      if (content.fault !== null) this.#countFault(job, content.fault);
      return content;
    } catch (error) {
      await Promise.all(prepared.map((blob) => blobs.discard(blob)));
      if (error instanceof BudgetExceeded) return this.#reduced(job, error);
      if (error instanceof Refusal && error.kind === "NotFound") return this.#unparsed(job, "its raw bytes are gone");
      if (!job.isReduced && job.sizeBytes > inlineBytes) await endFullAttempt(db, job.emailId);
      throw error;
    }
  }

  async #parse(
    job: ParseJob,
    open: () => Promise<Readable>,
    store: (bytes: Readable) => Promise<PreparedBlob>,
  ): Promise<Content> {
    const { db, workers, limits } = this.#dependencies;
    if (job.isReduced) return parseReduced(await open(), limits);
    // Without a budget of time: the parsers are linear in the length, whatever a message is made of (message/linear.test.ts).
    if (job.sizeBytes <= inlineBytes)
      return parseContent(await open(), store, AbortSignal.timeout(parseTimeoutMs), limits);
    return parseInWorker({
      workers,
      limits,
      store,
      open: async () => {
        await beginFullAttempt(db, job.emailId, fullAttemptLeaseS);
        return open();
      },
    });
  }

  /** The job remembers that the message exceeded its budget, in case that this fails too. */
  #reduced(job: ParseJob, { kind, message }: BudgetExceeded): Promise<Content> {
    const { logger, metrics } = this.#dependencies;
    logger.warn(
      { emailId: job.emailId, sizeBytes: job.sizeBytes, budget: kind, reason: message },
      "parse budget exceeded, stored headers and the first text only",
    );
    metrics
      .counter("postern_mailbox_budget_exceeded_total", "Emails whose content exceeded a budget", ["budget"])
      .inc({ budget: kind });
    return this.parse({ ...job, isReduced: true });
  }

  /** For a message of which nothing but the envelope is known. */
  #unparsed(job: ParseJob, fault: string): Content {
    this.#countFault(job, fault);
    const nothing = { headers: [], subject: "", author: null, summary: summarize(null, null, null) };
    return { ...nothing, text: null, html: null, attachments: [], isTruncated: false, fault };
  }

  #countFault({ emailId }: ParseJob, fault: string): void {
    this.#dependencies.logger.warn({ emailId, reason: fault }, "email parsed only in part");
    this.#unreadable.inc();
  }
}
