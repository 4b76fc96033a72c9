import type { Command } from "../command.ts";
import { table } from "../table.ts";
import { examine } from "./examination.ts";

export const doctor: Command = {
  name: "doctor",
  synopsis: "",
  sentence: "Checks the installation: one line per check; the exit code is 1 if any is bad.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const results = await examine(installation);
    return {
      json: results,
      lines: table(results.map(({ check, isGood, detail }) => [isGood ? "good" : "BAD", check, detail])),
      isGood: results.every((result) => result.isGood),
    };
  },
};
