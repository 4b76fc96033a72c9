import type { Database } from "../../platform/db/types.ts";
import type { LeasedTable } from "../../platform/jobs/leased-rows.ts";
import { LeasedRows } from "../../platform/jobs/leased-rows.ts";
import { LeasedWork } from "../../platform/jobs/leased-work.ts";
import { withSpan } from "../../platform/telemetry/spans.ts";
import { type AttemptOptions, attemptCallback, type Identity } from "./attempt.ts";
import type { AttemptResult, Callback } from "./callback.ts";
import { recordAttemptResults } from "./record-results.ts";

export interface CallbackWorkOptions extends AttemptOptions {
  db: Database;
  table: LeasedTable<Callback>;
  /** Usernames and secrets of those of the accounts that exist. @throws Outage */
  identities(accountIds: string[]): Promise<Identity[]>;
  onAttempt(result: AttemptResult): void;
}

/** Calls what is due. */
export function callbackWork(options: CallbackWorkOptions): LeasedWork<Callback, AttemptResult> {
  const { db, table, workerId, identities, onAttempt, logger } = options;
  return new LeasedWork({
    name: "callbacks",
    table,
    leases: new LeasedRows(db, table, workerId),
    async prepare(callbacks) {
      const found = await identities([...new Set(callbacks.map(({ ownerId }) => ownerId))]);
      const byOwner = new Map(found.map((identity) => [identity.accountId, identity]));
      return (callback) => callInTrace(callback, byOwner.get(callback.ownerId), options);
    },
    record: (results) => recordAttemptResults(db, results),
    onEnding: (_callback, result) => onAttempt(result),
    logger,
  });
}

function callInTrace(
  callback: Callback,
  identity: Identity | undefined,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const attributes = { "postern.email_id": callback.emailId, "postern.attempt": callback.attemptCount + 1 };
  return withSpan("callback", { parent: callback.trace, attributes }, async (span) => {
    const result = await attemptCallback(callback, identity, options);
    span.setAttribute("postern.delivery.state", result.state);
    return result;
  });
}
