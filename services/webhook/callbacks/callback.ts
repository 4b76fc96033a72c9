import { isAccountDisabled } from "../../platform/events/disabled-accounts.ts";
import type { AttemptResult } from "../../platform/jobs/attempt-result-writer.ts";
import type { JobTable } from "../../platform/jobs/job-claims.ts";
import type { Exchange } from "../calls/exchange.ts";

/** What a URL is told, as a worker needs it. */
export interface Call {
  /** The webhook's id, the same at every attempt: of the email, or of the account event. */
  id: string;
  ownerId: string;
  url: string;
  /** When what it tells of came in. */
  receivedAt: Date;
  /** The URL's host and port. */
  host: string;
  /** The trace that it belongs to. */
  trace: Readonly<Record<string, string>>;
  /** Attempts that failed so far. */
  attemptCount: number;
  isOwnerDisabled: boolean;
}

/** Tells the callback URL of a binding of an email. */
export interface Callback extends Call {
  bindingId: string;
}

/** Its columns, as a row gives them. */
const columns = `email_id as id, owner_id, binding_id, url, host,
  received_at, trace,
  jsonb_array_length(attempts) as attempt_count, ${isAccountDisabled("callback.owner_id")} as is_owner_disabled`;

export const callbackJobs = { table: "callback", key: "email_id" } as const;

/** @param limit callbacks in flight at once; one owner gets at most half of them, for any number of hosts */
export function callbackTable(limit: number, perHost: number, leaseS: number): JobTable<Callback> {
  return {
    name: "callback",
    key: { column: "email_id", of: ({ id }) => id },
    columns,
    concurrencyLimits: [
      { column: "host", of: ({ host }) => host, limit: perHost },
      { column: "owner_id", of: ({ ownerId }) => ownerId, limit: Math.ceil(limit / 2) },
    ],
    limit,
    leaseS,
  };
}

/** By how much of itself a wait of the retry schedule may be longer or shorter. */
export const retryJitter = 0.2;

/** An attempt as it is kept and shown. */
export interface CallbackAttempt {
  /** ISO 8601, UTC. */
  at: string;
  /** The HTTP status; null when there was no response. */
  status: number | null;
  durationMs: number;
  /** One sentence; null when the target took it. */
  failure: string | null;
  /** What was asked and answered, where a request was made. */
  exchange?: Exchange | undefined;
}

/** How an attempt at a call ended, or a claim that led to none. */
export interface CallbackResult extends AttemptResult<"delivered" | "given_up" | "cancelled", CallbackAttempt> {
  /** The target's response (a status line) or what failed before there was one. */
  response: string;
  /** The target answered 410: no more callbacks are sent to it. */
  isTargetGone: boolean;
}
