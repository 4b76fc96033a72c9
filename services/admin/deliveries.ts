import { domainToASCII } from "node:url";
import { forwarderContract } from "../forwarder/contract.ts";
import { isId } from "../platform/ids.ts";
import { type Command, UsageError } from "./command.ts";
import { table } from "./table.ts";

const listed = 1_000;

const deliveryList: Command = {
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

const deliveryRetry: Command = {
  name: "delivery retry",
  synopsis: "ID… | --destination DOMAIN | --all",
  sentence: "Tries what waits for its next attempt at once.",
  options: { all: { type: "boolean" }, destination: { type: "string" } },
  words: { min: 0, max: 10_000 },
  async run(installation, { positionals, values }) {
    const asked = [positionals.length > 0, values.destination !== undefined, values.all === true];
    if (asked.filter(Boolean).length !== 1) throw new UsageError("takes either ids, or --destination, or --all");
    const wrong = positionals.filter((id) => !isId(id));
    if (wrong.length > 0) throw new UsageError(`${wrong.join(", ")} is no id; see "delivery list"`);
    const ids = positionals.length > 0 ? [...positionals] : null;
    const domain = values.destination === undefined ? null : destinationOf(String(values.destination));
    const { count } = await (await installation.service(forwarderContract)).retryWaiting({ ids, domain });
    return { json: { count }, lines: [`${count} became due.`], isGood: count > 0 || ids === null };
  },
};

const destinationList: Command = {
  name: "destination list",
  synopsis: "",
  sentence: "Lists the domains that mail waits for, the most first, and those that it is held back from.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const destinations = await (await installation.service(forwarderContract)).destinations({ limit: listed });
    const rows = destinations.map(({ domain, waiting, oldestAt, pausedAt }) => [
      domain,
      `${waiting} waiting`,
      oldestAt ? `since ${oldestAt}` : "",
      pausedAt ? `held back since ${pausedAt}` : "",
    ]);
    return { json: destinations, lines: rows.length > 0 ? table(rows) : ["No mail waits."] };
  },
};

const destinationPause: Command = {
  name: "destination pause",
  synopsis: "DOMAIN",
  sentence: "Holds mail to a domain back: it waits, and no attempt is counted, until it is resumed.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [word = ""] }) {
    const domain = destinationOf(word);
    await (await installation.service(forwarderContract)).pauseDestination({ domain });
    return { json: { domain }, lines: [`Mail to ${domain} is held back until "destination resume ${domain}".`] };
  },
};

const destinationResume: Command = {
  name: "destination resume",
  synopsis: "DOMAIN",
  sentence: "Lets mail to a domain go again.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [word = ""] }) {
    const domain = destinationOf(word);
    await (await installation.service(forwarderContract)).resumeDestination({ domain });
    return { json: { domain }, lines: [`Mail to ${domain} goes again.`] };
  },
};

/** What waits to be delivered, and the domains that it goes to. */
export const deliveryCommands: readonly Command[] = [
  deliveryList,
  deliveryRetry,
  destinationList,
  destinationPause,
  destinationResume,
];

/** A domain as deliveries have it. @throws UsageError */
function destinationOf(word: string): string {
  // What domainToASCII would cut off as the rest of a URL; and empty labels, which it lets pass.
  const domain = /[\s/:?#@\\]|^\.|\.\.|\.$/.test(word) ? "" : domainToASCII(word);
  if (domain === "") throw new UsageError(`"${word}" is no domain: a destination is what is right of the @`);
  return domain;
}
