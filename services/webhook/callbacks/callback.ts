import { isAccountDisabled } from "../../platform/events/disabled-accounts.ts";
import type { JobTable } from "../../platform/jobs/job-claims.ts";

/** A callback as a worker needs it. */
export interface Callback {
  /** The email's id; the webhook's id as well, the same at every attempt. */
  emailId: string;
  ownerId: string;
  bindingId: string;
  url: string;
  /** When the email came in. */
  receivedAt: Date;
  /** The URL's host and port. */
  host: string;
  /** The trace that the email belongs to. */
  trace: Readonly<Record<string, string>>;
  /** Attempts that failed so far. */
  attemptCount: number;
  isOwnerDisabled: boolean;
}

/** Its columns, as a row gives them. */
const columns = `email_id, owner_id, binding_id, url, host,
  received_at, trace,
  jsonb_array_length(attempts) as attempt_count, ${isAccountDisabled("callback.owner_id")} as is_owner_disabled`;

/** @param limit callbacks in flight at once; one owner gets at most half of them, for any number of hosts */
export function callbackTable(limit: number, perHost: number, leaseS: number): JobTable<Callback> {
  return {
    name: "callback",
    key: { column: "email_id", of: ({ emailId }) => emailId },
    columns,
    lanes: [
      { column: "host", of: ({ host }) => host, limit: perHost },
      { column: "owner_id", of: ({ ownerId }) => ownerId, limit: Math.ceil(limit / 2) },
    ],
    limit,
    leaseS,
  };
}

/** An attempt as it is kept and shown. */
export interface Attempt {
  /** ISO 8601, UTC. */
  at: string;
  /** The HTTP status; null when there was no answer. */
  status: number | null;
  durationMs: number;
  /** One sentence; null when the target took it. */
  failure: string | null;
}

/** How an attempt, or a claim that led to none, ended. */
export interface AttemptResult {
  emailId: string;
  workerId: string;
  /** `waiting`: to be tried again. */
  state: "waiting" | "delivered" | "given_up" | "cancelled";
  /** Null when there was none, because another service was unreachable or nothing is left to send. */
  attempt: Attempt | null;
  /** The target's answer (a status line) or what failed before there was one. */
  response: string;
  /** Seconds until the next one, while waiting. */
  retryAfterS: number;
  /** The target answered 410: no more callbacks are sent to it. */
  isTargetGone: boolean;
}
