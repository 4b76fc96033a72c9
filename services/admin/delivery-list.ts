import { forwarderContract } from "../forwarder/contract.ts";
import type { Command } from "./command.ts";
import { destinationOf } from "./destination.ts";
import { table } from "./table.ts";

const listed = 1_000;

export const deliveryList: Command = {
  name: "delivery list",
  synopsis: "[DOMAIN]",
  sentence: `Lists what waits to be delivered, the next due first, ${listed} at most; to whom it goes is its owner's to see.`,
  words: { min: 0, max: 1 },
  async run(installation, { positionals: [word] }) {
    const domain = word === undefined ? null : destinationOf(word);
    const forwarder = await installation.service(forwarderContract);
    const waiting = await forwarder.waitingDeliveries({ domain, limit: listed });
    const rows = waiting.map(({ id, domain, receivedAt, attemptCount, lastReply, nextAttemptAt }) => [
      id,
      domain,
      `since ${receivedAt}`,
      attemptCount === 1 ? "1 attempt" : `${attemptCount} attempts`,
      lastReply ?? "",
      `next at ${nextAttemptAt}`,
    ]);
    return { json: waiting, lines: rows.length > 0 ? table(rows) : ["Nothing waits."] };
  },
};
