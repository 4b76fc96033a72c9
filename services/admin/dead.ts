import { askForResend, type DeadEvent, listDeadEvents } from "../platform/events/dead-events.ts";
import { isId } from "../platform/ids.ts";
import { type Command, UsageError } from "./command.ts";
import type { Installation } from "./installation.ts";
import { table } from "./table.ts";

type DeadEventOfService = DeadEvent & { service: string };

const pageSize = 1_000;

const deadList: Command = {
  name: "dead list",
  synopsis: "",
  sentence:
    "Lists the events and jobs that a service failed to process, with the error; their content stays in the database.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const events = await allDeadEvents(installation);
    const rows = events.map(({ id, service, topic, diedAt, error, resendAskedAt }) => [
      id,
      service,
      topic,
      diedAt.toISOString(),
      resendAskedAt ? "asked for again" : (error.split("\n", 1)[0] ?? ""),
    ]);
    return { json: events, lines: rows.length > 0 ? table(rows) : ["No event is dead."] };
  },
};

const deadResend: Command = {
  name: "dead resend",
  synopsis: "ID… | --all",
  sentence: "Sends dead events and parked jobs to their services again, which process them soon, or once they run.",
  options: { all: { type: "boolean" } },
  words: { min: 0, max: Number.POSITIVE_INFINITY },
  async run(installation, { positionals, values }) {
    if ((values.all === true) === positionals.length > 0) throw new UsageError("takes either ids or --all");
    const wrong = positionals.filter((id) => !isId(id));
    if (wrong.length > 0) throw new UsageError(`${wrong.join(", ")} is no id; see "dead list"`);
    const ids = values.all ? (await allDeadEvents(installation)).map((event) => event.id) : positionals;
    const asked = await resendEach(installation, ids);
    const missing = ids.filter((id) => !asked.includes(id));
    return {
      json: { asked, missing },
      lines: [`Asked for ${asked.length} again.`, ...missing.map((id) => `There is no dead event ${id}.`)],
      isGood: missing.length === 0,
    };
  },
};

export const deadCommands: readonly Command[] = [deadList, deadResend];

/** The dead events of every service, each service's oldest first. */
async function allDeadEvents(installation: Installation): Promise<DeadEventOfService[]> {
  const all: DeadEventOfService[] = [];
  for (const { service, db } of await installation.databases()) {
    let page: DeadEvent[];
    do {
      page = await listDeadEvents(db, {
        limit: pageSize,
        after: all.findLast((event) => event.service === service)?.id,
      });
      all.push(...page.map((event) => ({ service, ...event })));
    } while (page.length === pageSize);
  }
  return all;
}

/** Asks for dead events to be sent again. An id tells nothing of its service: each is asked. Gives the ids that are there. */
async function resendEach(installation: Installation, ids: readonly string[]): Promise<string[]> {
  const asked: string[] = [];
  for (const { db } of await installation.databases()) asked.push(...(await askForResend(db, ids)));
  return asked;
}
