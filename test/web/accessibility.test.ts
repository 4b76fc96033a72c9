import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { shownPages } from "./support/pages.ts";
import { populate, type Scene } from "./support/scene.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn, type Visitor } from "./support/visitor.ts";

let site: Site;
let scene: Scene;
let axe: string;
const visitors = {} as Record<"stranger" | "owner", Visitor>;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  site = await openSite();
  scene = await populate(site.installation);
  visitors.stranger = await site.visit();
  visitors.owner = await site.visit();
  await signIn(visitors.owner.page, site.installation.account);
}, openLimitMs);
afterAll(() => site?.close(), 60_000);

const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

/** What React Aria reads out may name a button that has gone since. */
const run = "axe.run({ exclude: ['[data-live-announcer]'] })";

/** What axe finds wrong, a line for each place. */
async function violations(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}

/** How far the page is wider than the screen: what is cut off, or has to be scrolled to sideways. */
const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

describe.each(shownPages)("$name", ({ who, open }) => {
  test("has nothing that axe finds wrong and fits, on a phone and on a desktop, light and dark", async () => {
    const { page, complaints } = visitors[who];
    const complaintsBefore = complaints.length;
    await page.setViewportSize(screens.phone);
    await open(page, scene);
    await page.evaluate(axe);
    for (const [screen, size] of Object.entries(screens)) {
      await page.setViewportSize(size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect({ screen, colorScheme, found: await violations(page) }).toEqual({ screen, colorScheme, found: [] });
      }
      expect({ screen, overflow: await page.evaluate(overflow) }).toEqual({ screen, overflow: 0 });
    }
    expect(complaints.slice(complaintsBefore)).toEqual([]);
  });
});
