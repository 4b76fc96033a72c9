import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** In the dark only colours are others. */
export const rulesIn = { light: undefined, dark: ["color-contrast"] } as const;

/**
 * What axe finds wrong on a page as it stands, a line for each place.
 * @param runOnly rules, or tags of rules; all of its own choice if there are none
 */
export async function axeFindings(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await readFile(script, "utf8"));
  // What React Aria reads out may name a button that has gone since.
  const context = { exclude: ["[data-live-announcer]"] };
  const call = `axe.run(${JSON.stringify(context)}, ${JSON.stringify({ resultTypes: ["violations"], runOnly })})`;
  const { violations } = (await page.evaluate(call)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}
