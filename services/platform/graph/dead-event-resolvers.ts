import type { Database } from "../db/types.ts";
import { askForResend, type DeadEvent, listDeadEvents } from "../events/dead-events.ts";
import { isId } from "../ids.ts";
import { withoutAddresses } from "../telemetry/redaction.ts";
import { checkIdCount } from "./check-id-count.ts";
import { requireOperator } from "./operator.ts";
import { idCursor, pageSize } from "./paging.ts";
import type { Resolver } from "./subgraph.ts";

const maxErrorChars = 300;

/** What an operator is shown: the beginning of the error, which may quote mail. The whole is in `admin -- dead list`. */
const shown = ({ error, ...event }: DeadEvent) => ({
  ...event,
  error: withoutAddresses(error.split("\n", 1)[0] ?? "").slice(0, maxErrorChars),
});

/** A service's dead events and parked jobs in the operator's area: the field of Operator and the mutation, each in its name. */
export function deadEventResolvers(service: string, db: Database) {
  const fields: Record<string, Resolver<unknown>> = {
    [`${service}DeadEvents`]: async (
      _source: unknown,
      { first, after }: { first?: number | null; after?: string | null },
      request,
    ) => {
      requireOperator(request);
      const page = { limit: pageSize(first), after: idCursor(after) };
      return (await listDeadEvents(db, page)).map(shown);
    },
  };
  const mutations: Record<string, Resolver<unknown>> = {
    [`resend${service.charAt(0).toUpperCase()}${service.slice(1)}DeadEvents`]: async (
      _source: unknown,
      { ids }: { ids: string[] },
      request,
    ) => {
      requireOperator(request);
      return { count: (await askForResend(db, checkIdCount(ids, "ids").filter(isId))).length };
    },
  };
  return { fields, mutations };
}
