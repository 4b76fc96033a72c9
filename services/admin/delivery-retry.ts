import { forwarderContract } from "../forwarder/contract.ts";
import { isId } from "../platform/ids.ts";
import { type Command, UsageError } from "./command.ts";
import { destinationOf } from "./destination.ts";

export const deliveryRetry: Command = {
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
