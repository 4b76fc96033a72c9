import { timestampDate } from "@bufbuild/protobuf/wkt";
import { topics } from "../../../proto/topics.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { countAuthors } from "../contacts/count-mail.ts";
import { createFromMail } from "../patterns/create-from-mail.ts";
import { countHits } from "../rules/hits.ts";
import { countReceived } from "./received-counter.ts";

/** Makes the bindings of new addresses that patterns took, then counts the accepted emails at each binding, rule and contact. */
export const recordAccepted = (domains: ServedDomains, contactQuota: number) =>
  consumer({
    topic: topics.mailAccepted,
    pace: "patient",
    handle: async (tx, emails) => {
      const messages = emails.map(({ message }) => message);
      await createFromMail(tx, domains, messages);
      await countReceived(tx, messages);
      await countHits(
        tx,
        messages.flatMap(({ rule, ownerId, receivedAt }) =>
          rule
            ? [{ ownerId, ruleId: rule.ruleId, count: 1, lastAt: receivedAt ? timestampDate(receivedAt) : new Date() }]
            : [],
        ),
      );
      await countAuthors(tx, messages, contactQuota);
    },
  });
