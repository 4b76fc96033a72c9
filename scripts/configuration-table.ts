import { readFile, writeFile } from "node:fs/promises";
import { describeConfig } from "../services/platform/config.ts";
import { hostConfig } from "../services/platform/runtime/host.ts";
import { loadAllServices } from "../services/targets.ts";

const page = new URL("../docs/configuration.md", import.meta.url);
const begin = "<!-- configuration: made by `npm run configuration-table` -->";
const end = "<!-- end of configuration -->";

/** Every variable of an installation as rows of a Markdown table, from the definitions that check them. */
async function configurationTable(): Promise<string> {
  const rows = describeConfig(hostConfig(await loadAllServices())).map(
    ({ name, form, unset, sentence }) => `| \`${name}\` | ${sentence} | ${form} | ${unset === "" ? "" : cell(unset)} |`,
  );
  return ["| variable | meaning | form | default |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** docs/configuration.md with its table as the code has it. @throws Error when it has no place for one. */
export async function pageWithTable(): Promise<{ current: string; renewed: string }> {
  const current = await readFile(page, "utf8");
  const [before, rest] = current.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/configuration.md lacks ${begin} or ${end}`);
  return { current, renewed: `${before}${begin}\n${await configurationTable()}\n${end}${after}` };
}

if (import.meta.main) {
  const { current, renewed } = await pageWithTable();
  if (renewed !== current) await writeFile(page, renewed);
}
