import type { Database } from "../../platform/db/types.ts";
import type { JobTable } from "../../platform/jobs/job-claims.ts";
import { JobWorker } from "../../platform/jobs/job-worker.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { withSpan } from "../../platform/telemetry/spans.ts";
import { type AttemptOptions, attemptCallback, type Identity } from "./attempt.ts";
import type { Callback, CallbackResult } from "./callback.ts";
import { recordCallbackResults } from "./record-results.ts";

interface CallbackWorkOptions extends AttemptOptions {
  db: Database;
  metrics: Metrics;
  table: JobTable<Callback>;
  /** Usernames and secrets of those of the accounts that exist. @throws Outage */
  identities(accountIds: string[]): Promise<Identity[]>;
  onAttempt(result: CallbackResult): void;
}

/** Calls what is due. */
export function callbackWork(options: CallbackWorkOptions): JobWorker<Callback, CallbackResult> {
  const { db, table, workerId, identities, onAttempt, logger, metrics } = options;
  return new JobWorker({
    name: "callbacks",
    db,
    table,
    workerId,
    async prepare(callbacks) {
      const found = await identities([...new Set(callbacks.map(({ ownerId }) => ownerId))]);
      const byOwner = new Map(found.map((identity) => [identity.accountId, identity]));
      return (callback) => callInTrace(callback, byOwner.get(callback.ownerId), options);
    },
    record: (results) => recordCallbackResults(db, results),
    onRecorded: (_callback, result) => onAttempt(result),
    logger,
    metrics,
  });
}

function callInTrace(
  callback: Callback,
  identity: Identity | undefined,
  options: AttemptOptions,
): Promise<CallbackResult> {
  const attributes = { "postern.email_id": callback.emailId, "postern.attempt": callback.attemptCount + 1 };
  return withSpan("callback", { parent: callback.trace, attributes }, async (span) => {
    const result = await attemptCallback(callback, identity, options);
    span.setAttribute("postern.delivery.state", result.state);
    return result;
  });
}
