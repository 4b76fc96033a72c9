import { isId } from "../platform/ids.ts";
import { type Command, UsageError } from "./command.ts";
import { allDeadEvents, resendEach } from "./dead-events.ts";

export const deadResend: Command = {
  name: "dead resend",
  synopsis: "ID… | --all",
  sentence: "Gives dead events and jobs to their services again, which take them soon, or as soon as they run.",
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
