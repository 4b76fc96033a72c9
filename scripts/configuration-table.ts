import { readFile, writeFile } from "node:fs/promises";
import { describeConfig } from "../services/platform/config.ts";
import { hostConfig } from "../services/platform/runtime/host.ts";
import { servicesOf } from "../services/targets.ts";

const readme = new URL("../README.md", import.meta.url);
const begin = "<!-- configuration: made by `npm run configuration-table` -->";
const end = "<!-- end of configuration -->";

/** Every variable of an installation as rows of a Markdown table, from the definitions that check them. */
export function configurationTable(): string {
  const { services } = servicesOf("all", {});
  const rows = describeConfig(hostConfig(services)).map(
    ({ name, form, unset, sentence }) => `| \`${name}\` | ${sentence} | ${form} | ${unset === "" ? "" : cell(unset)} |`,
  );
  return ["| variable | what it says | form | unset means |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** The README with its table as the code has it. @throws Error when it has no place for one. */
export async function readmeWithTable(): Promise<{ current: string; renewed: string }> {
  const current = await readFile(readme, "utf8");
  const [before, rest] = current.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md lacks ${begin} or ${end}`);
  return { current, renewed: `${before}${begin}\n${configurationTable()}\n${end}${after}` };
}

if (import.meta.main) {
  const { current, renewed } = await readmeWithTable();
  if (renewed !== current) await writeFile(readme, renewed);
}
