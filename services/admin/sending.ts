import { forwarderContract } from "../forwarder/contract.ts";
import { isId } from "../platform/ids.ts";
import { type Command, UsageError } from "./command.ts";
import { table } from "./table.ts";

const sendingList: Command = {
  name: "sending list",
  synopsis: "",
  sentence: "Lists accounts whose sending is paused because too much of it failed for good or drew complaints.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const paused = await (await installation.service(forwarderContract)).pausedSending({});
    const rows = paused.map(({ ownerId, pausedAt, reason }) => [ownerId, `paused since ${pausedAt}`, reason]);
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

const listLimit = 1_000;

const sendingComplaints: Command = {
  name: "sending complaints",
  synopsis: "",
  sentence: "Lists complaints (RFC 5965) about what was sent, the latest first.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const complaints = await (await installation.service(forwarderContract)).complaints({ limit: listLimit });
    const rows = complaints.map(({ complainedAt, ownerId, emailId, isAnswer, feedbackType, reporter, isCounted }) => [
      ...[complainedAt, ownerId, emailId, isAnswer ? "sent" : "forwarded", feedbackType, reporter || "unproved"],
      isAnswer && isCounted ? "counts" : "",
    ]);
    return { json: complaints, lines: rows.length > 0 ? table(rows) : ["Nobody complained."] };
  },
};

/** What accounts send from proxy addresses. */
export const sendingCommands: readonly Command[] = [sendingList, sendingResume, sendingComplaints];
