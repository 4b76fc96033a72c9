import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { axeFindings, rulesIn } from "./support/axe.ts";
import { viewers } from "./support/pages/all.ts";
import { somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import type { Visitor } from "./support/visitor.ts";
import { populate, type WebInstallation, webEnvironment } from "./support/web-installation.ts";

let site: Site;
let web: WebInstallation;
const visitors = new Map<string, Visitor>();

beforeAll(async () => {
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

/** How far the page is wider than the screen: what is cut off, or has to be scrolled to sideways. */
const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** As a browser has it whose font is twice as large (WCAG 1.4.4). */
const enlarge = "document.documentElement.style.fontSize = '200%'";
const asBefore = "document.documentElement.style.fontSize = ''";

/** The parts of a page whose right edge is out of reach, and the links of its navigation whose word is broken. */
const outOfReach = `(() => {
  const parts = document.querySelectorAll("html, .overlay, .mails, .scroller:has(> .data-table)");
  const linesOf = (link) => {
    const range = document.createRange();
    range.selectNodeContents([...link.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE) ?? link);
    return range.getClientRects().length;
  };
  const links = document.querySelectorAll(".tab, .nav .nav-link");
  return [
    ...[...parts].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ tagName, className }) => tagName + "." + className),
    ...[...links].filter((link) => linesOf(link) > 1).map(({ textContent }) => textContent),
  ];
})()`;

const everyPage = Object.entries(viewers).flatMap(([who, { pages }]) => pages.map((shown) => ({ who, ...shown })));

describe.each(everyPage)("$name", ({ who, complaint = /(?!)/, open }) => {
  test("has nothing that axe finds wrong and fits, on a phone and on a desktop, light and dark, its text twice as large too", async () => {
    const { page, complaints } = visitors.get(who) as Visitor;
    const complaintsBefore = complaints.length;
    await page.setViewportSize(screens.phone);
    await open(page, web);
    for (const [screen, size] of Object.entries(screens)) {
      await page.setViewportSize(size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await axeFindings(page, rulesIn[colorScheme]);
        expect({ screen, colorScheme, found }).toEqual({ screen, colorScheme, found: [] });
      }
      expect({ screen, overflow: await page.evaluate(overflow) }).toEqual({ screen, overflow: 0 });
    }
    await page.setViewportSize(screens.phone);
    await page.evaluate(enlarge);
    expect(await page.evaluate(outOfReach)).toEqual([]);
    await page.evaluate(asBefore);
    expect(complaints.slice(complaintsBefore).filter((each) => !complaint.test(each))).toEqual([]);
  });
});

test("in German a button is called by what stands on it too", async () => {
  const { page, close } = await site.visit({ locale: "de-DE" });
  await page.context().addCookies(await (visitors.get("owner") as Visitor).page.context().cookies());
  await page.goto(`/addresses/${web.bindingId}/settings`);
  await page.getByText("Link erneut senden").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await close();
});
