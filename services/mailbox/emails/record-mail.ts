import { topics } from "../../../proto/topics.ts";
import { jointConsumers } from "../../platform/events/consumer.ts";
import { type FirstDeliveries, needsParsing, recordEmails } from "./record-emails.ts";
import { addDeliveryEntries, outcomeEntries, successes } from "./record-outcomes.ts";
import type { NewTimelineEntry } from "./timeline.ts";

/**
 * Records emails that ingress accepted, and the outcomes of deliveries. Under load most deliveries have ended by the time that their email
 * is recorded: then it is written once, as it is by now, rather than inserted, locked, counted and updated.
 * @param wake called once there may be parse jobs
 */
export function recordMail(wake: () => void) {
  return jointConsumers({
    topics: [topics.mailAccepted, topics.deliverySettled],
    pace: "patient",
    isAwaited: needsParsing,
    async handle(tx, accepted, settled) {
      const outcomes = outcomeEntries(settled);
      const emails = accepted.map((event) => ({ ...event, direction: "FORWARD" as const }));
      const deliveries = firstDeliveries(outcomes);
      const inserted = emails.length > 0 ? await recordEmails(tx, emails, wake, deliveries) : new Set<string>();
      const isWritten = ({ emailId }: NewTimelineEntry) => inserted.has(emailId) && deliveries.has(emailId);
      await addDeliveryEntries(
        tx,
        outcomes.filter((outcome) => !isWritten(outcome)),
      );
    },
  });
}

/** Those of emails of which nothing else is known: what has failed, or is said of one target twice, has to be counted. */
function firstDeliveries(outcomes: readonly NewTimelineEntry[]): FirstDeliveries {
  const byEmail = Map.groupBy(outcomes, ({ emailId }) => emailId);
  return new Map(
    [...byEmail].filter(
      ([, entries]) =>
        entries.every(({ kind }) => successes.has(kind)) &&
        new Set(entries.map(({ targetId }) => targetId)).size === entries.length,
    ),
  );
}
