import { forwarderContract } from "../forwarder/contract.ts";
import { type Command, UsageError } from "./command.ts";

/** As long as resolvers may remember that there is no such record, and an operator's night. */
const defaultLeadHours = 24;
const maxLeadHours = 720;

export const dkimRotate: Command = {
  name: "dkim rotate",
  synopsis: "[--lead HOURS]",
  sentence: `Makes new signing keys, to be published now; they sign after ${defaultLeadHours} hours, or so many as are given.`,
  options: { lead: { type: "string" } },
  words: { min: 0, max: 0 },
  async run(installation, { values }) {
    const leadH = Number(values.lead ?? defaultLeadHours);
    if (!Number.isInteger(leadH) || leadH < 0 || leadH > maxLeadHours)
      throw new UsageError(`dkim rotate: takes a number of hours from 0 to ${maxLeadHours}`);
    const forwarder = await installation.service(forwarderContract);
    const { selectors } = await forwarder.rotateSigningKeys({ leadH });
    const lines = [
      `Made the keys ${selectors.join(" and ")}. They sign in ${leadH} hours: publish their records before ("dns").`,
      "The records of the former keys stay published until they are no longer listed there.",
    ];
    return { json: { selectors, leadH }, lines };
  },
};
