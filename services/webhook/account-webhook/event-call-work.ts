import { topics } from "../../../proto/topics.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { Consumer } from "../../platform/events/types.ts";
import type { JobWorker } from "../../platform/jobs/job-worker.ts";
import { type CallWorkOptions, callWork, type OwnedResult } from "../calls/call-work.ts";
import { type EventCall, eventCallsOf, insertEventCalls } from "./event-call.ts";
import { recordEventResults } from "./record-results.ts";

type Options = Omit<CallWorkOptions<EventCall>, "name" | "idAttribute" | "record" | "bodyOf"> & { serviceName: string };

/** Tells accounts' webhooks of events. */
export function eventCallWork({ serviceName, ...options }: Options): JobWorker<EventCall, OwnedResult> {
  return callWork({
    ...options,
    name: "event-calls",
    idAttribute: "postern.event_id",
    record: (results) => recordEventResults(options.db, results, serviceName),
    bodyOf: async ({ body }) => ({ pieces: [Buffer.from(body)], release: () => undefined }),
  });
}

/** New events become calls, each once. */
export function eventCallConsumer(worker: JobWorker<EventCall, OwnedResult>): Consumer {
  return consumer(topics.accountEventRecorded, async (tx, events) =>
    worker.insert(tx, await eventCallsOf(tx, events), (rows) => insertEventCalls(tx, rows)),
  );
}
