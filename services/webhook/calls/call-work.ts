import type { Database } from "../../platform/db/types.ts";
import type { JobTable } from "../../platform/jobs/job-claims.ts";
import { JobWorker } from "../../platform/jobs/job-worker.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { withSpan } from "../../platform/telemetry/spans.ts";
import type { TraceHeaders } from "../../platform/telemetry/trace-context.ts";
import { type AttemptOptions, attemptCall, type Identity } from "./attempt.ts";
import type { Call, CallResult } from "./call.ts";

/** How a call ended, and of which URL and whose it was. */
export type OwnedResult = CallResult & {
  /** That was called: the call's own may be another by now. */
  readonly url: string;
  readonly host: string;
  /** An email address; "" of an account that is closed. */
  readonly username: string;
};

export interface CallWorkOptions<C extends Call> extends AttemptOptions<C> {
  /** For the log. */
  name: string;
  /** What a span names a call's id. */
  idAttribute: string;
  db: Database;
  metrics: Metrics;
  table: JobTable<C>;
  /** The calls as they are to be made by now. Default: as they were claimed. */
  current?(calls: readonly C[]): Promise<readonly C[]>;
  /** Usernames and secrets of those of the accounts that exist. @throws Outage */
  identities(accountIds: string[]): Promise<Identity[]>;
  record(results: readonly OwnedResult[]): Promise<void>;
  onAttempt(result: CallResult, trace: TraceHeaders): void;
}

/** Calls what is due. */
export function callWork<C extends Call>(options: CallWorkOptions<C>): JobWorker<C, OwnedResult> {
  const { name, db, table, workerId, current, identities, record, onAttempt, logger, metrics } = options;
  return new JobWorker({
    name,
    db,
    table,
    workerId,
    async prepare(calls) {
      const [found, ofNow] = await Promise.all([
        identities([...new Set(calls.map(({ ownerId }) => ownerId))]),
        current?.(calls) ?? [],
      ]);
      const callOfNow = new Map(ofNow.map((call) => [call.id, call]));
      const byOwner = new Map(found.map((identity) => [identity.accountId, identity]));
      return (call) => callInTrace(callOfNow.get(call.id) ?? call, byOwner.get(call.ownerId), options);
    },
    record,
    onRecorded: (call, result) => onAttempt(result, call.trace),
    logger,
    metrics,
  });
}

function callInTrace<C extends Call>(
  call: C,
  identity: Identity | undefined,
  options: CallWorkOptions<C>,
): Promise<OwnedResult> {
  const attributes = { [options.idAttribute]: call.id, "postern.attempt": call.attemptCount + 1 };
  return withSpan("callback", { parent: call.trace, attributes }, async (span) => {
    const result = await attemptCall(call, identity, options);
    span.setAttribute("postern.delivery.state", result.state);
    return { ...result, url: call.url, host: call.host, username: identity?.username ?? "" };
  });
}
