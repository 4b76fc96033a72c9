import type { Command } from "./command.ts";
import { allDeadEvents } from "./dead-events.ts";
import { table } from "./table.ts";

export const deadList: Command = {
  name: "dead list",
  synopsis: "",
  sentence:
    "Lists the events and jobs that a service could not take, with the error; what they say stays in the database.",
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
