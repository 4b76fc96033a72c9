import { forwarderContract } from "../forwarder/contract.ts";
import type { Command } from "./command.ts";
import { destinationOf } from "./destination.ts";

export const destinationResume: Command = {
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
