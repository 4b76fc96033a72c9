import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { viewers } from "./support/pages/all.ts";
import { somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import type { Visitor } from "./support/visitor.ts";
import { populate, type WebInstallation, webEnvironment } from "./support/web-installation.ts";

let site: Site;
let web: WebInstallation;
let axe: string;
const visitors = new Map<string, Visitor>();

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  site = await openSite(await webEnvironment());
  web = await populate(site.installation);
  for (const [who, { enter }] of Object.entries(viewers)) {
    const visit = await site.visit();
    await enter(visit.page, site.installation, somebody());
    visitors.set(who, visit);
  }
}, openLimitMs);
afterAll(() => site?.close());

const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

/** What axe finds wrong, a line for each place. In the dark only colours are others. */
async function violations(page: Page, colorScheme: "light" | "dark"): Promise<string[]> {
  // What React Aria reads out may name a button that has gone since.
  const context = { exclude: ["[data-live-announcer]"] };
  const options = { resultTypes: ["violations"], ...(colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {}) };
  const call = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`;
  const { violations } = (await page.evaluate(call)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}

/** How far the page is wider than the screen: what is cut off, or has to be scrolled to sideways. */
const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

const everyPage = Object.entries(viewers).flatMap(([who, { pages }]) => pages.map((shown) => ({ who, ...shown })));

describe.each(everyPage)("$name", ({ who, complaint = /(?!)/, open }) => {
  test("has nothing that axe finds wrong and fits, on a phone and on a desktop, light and dark", async () => {
    const { page, complaints } = visitors.get(who) as Visitor;
    const complaintsBefore = complaints.length;
    await page.setViewportSize(screens.phone);
    await open(page, web);
    await page.evaluate(axe);
    for (const [screen, size] of Object.entries(screens)) {
      await page.setViewportSize(size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect({ screen, colorScheme, found: await violations(page, colorScheme) }).toEqual({
          screen,
          colorScheme,
          found: [],
        });
      }
      expect({ screen, overflow: await page.evaluate(overflow) }).toEqual({ screen, overflow: 0 });
    }
    expect(complaints.slice(complaintsBefore).filter((each) => !complaint.test(each))).toEqual([]);
  });
});
