import { forwarderContract } from "../forwarder/contract.ts";
import { isId } from "../platform/ids.ts";
import { type Command, UsageError } from "./command.ts";
import { table } from "./table.ts";

const sendingList: Command = {
  name: "sending list",
  synopsis: "",
  sentence: "Lists accounts whose sending is paused because too much of it failed for good.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const paused = await (await installation.service(forwarderContract)).pausedSending({});
    const rows = paused.map(({ ownerId, pausedAt }) => [ownerId, `paused since ${pausedAt}`]);
    return { json: paused, lines: rows.length > 0 ? table(rows) : ["No account is paused."] };
  },
};

const sendingResume: Command = {
  name: "sending resume",
  synopsis: "ACCOUNT",
  sentence: "Lets an account send again; what failed before is not counted any more.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [ownerId = ""] }) {
    if (!isId(ownerId)) throw new UsageError(`"${ownerId}" is no id of an account; see "sending list"`);
    await (await installation.service(forwarderContract)).resumeSending({ ownerId });
    return { json: { ownerId }, lines: [`${ownerId} may send again.`] };
  },
};

/** What accounts send from proxy addresses. */
export const sendingCommands: readonly Command[] = [sendingList, sendingResume];
