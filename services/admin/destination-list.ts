import { forwarderContract } from "../forwarder/contract.ts";
import type { Command } from "./command.ts";
import { table } from "./table.ts";

const listed = 1_000;

export const destinationList: Command = {
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
