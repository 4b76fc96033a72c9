import { topics } from "../../../proto/topics.ts";
import { jointConsumers } from "../../platform/events/consumer.ts";
import { needsParsing, recordEmails } from "./record-emails.ts";
import { addDeliveryEntries, outcomeEntries } from "./record-outcomes.ts";

/**
 * Records emails that ingress accepted, and the outcomes of deliveries. Under load most deliveries have ended by the time that their email
 * is recorded: then it is written once, as it is by now, rather than inserted, locked, counted and updated.
 * @param wake called once there may be parse jobs
 */
export function recordAcceptedAndSettled(wake: () => void) {
  return jointConsumers({
    topics: [topics.mailAccepted, topics.deliverySettled],
    pace: "patient",
    isAwaited: needsParsing,
    async handle(tx, accepted, settled) {
      const outcomes = outcomeEntries(settled);
      const emails = accepted.map((event) => ({ ...event, direction: "FORWARD" as const }));
      if (emails.length > 0) await recordEmails(tx, emails, wake, outcomes);
      else await addDeliveryEntries(tx, outcomes);
    },
  });
}
