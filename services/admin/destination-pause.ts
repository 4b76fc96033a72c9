import { forwarderContract } from "../forwarder/contract.ts";
import type { Command } from "./command.ts";
import { destinationOf } from "./destination.ts";

export const destinationPause: Command = {
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
