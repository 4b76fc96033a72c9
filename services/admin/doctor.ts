import type { Command } from "./command.ts";
import { examine } from "./doctor/examination.ts";
import { table } from "./table.ts";

export const doctor: Command = {
  name: "doctor",
  synopsis: "",
  sentence: "Checks the installation: a plain verdict per line; the exit code is 1 if any is bad.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const verdicts = await examine(installation);
    return {
      json: verdicts,
      lines: table(verdicts.map(({ check, isGood, detail }) => [isGood ? "good" : "BAD", check, detail])),
      isGood: verdicts.every((verdict) => verdict.isGood),
    };
  },
};
