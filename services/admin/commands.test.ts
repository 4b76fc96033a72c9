import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { commands } from "./commands.ts";

/** The commands of the table in docs/operating.md; "`account add`, `invite`" names two of one group. */
function documentedCommands(): string[] {
  const text = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");
  const table = /^\| command \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(text)?.[1] ?? "";
  return [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = ""]) => {
    let group = "";
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, typed = ""]) => {
      const words = typed.split(" ").filter((word) => !/^[A-Z]+$/.test(word));
      if (words.length > 1) group = `${words[0]} `;
      return words.length > 1 ? words.join(" ") : group + words[0];
    });
  });
}

test("docs/operating.md lists every command, and no other", () => {
  expect(documentedCommands().sort()).toEqual(commands.map(({ name }) => name).sort());
});
