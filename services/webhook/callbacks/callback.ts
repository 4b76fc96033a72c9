import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import type { JobTable } from "../../platform/jobs/job-claims.ts";
import type { Call } from "../calls/call.ts";

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
