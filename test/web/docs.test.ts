import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { chapters } from "../../scripts/docs/pages.ts";
import { runCommand } from "../../scripts/peers/command.ts";
import { axeFindings, rulesIn } from "./support/axe.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";
import type { Visitor } from "./support/visitor.ts";

const pages = chapters().flatMap((chapter) => chapter.pages);

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  await runCommand(process.execPath, [join(import.meta.dirname, "../../scripts/build-docs.ts")], openLimitMs);
  site = await openSharedSite();
  visitor = await site.visit();
}, openLimitMs);
afterAll(() => site?.close());

const get = (path: string, headers = {}) => fetch(`${site.installation.url}${path}`, { headers });
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

describe.each(pages.map(({ name, title }) => ({ name, title })))("/docs/$name", ({ name, title }) => {
  test("has nothing that axe finds wrong and fits, light and dark, and asks nobody else for anything", async () => {
    const { page } = visitor;
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(new URL(request.url()).origin));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(screens.desktop);
      await page.goto(`${site.installation.url}/docs/${name}`);
      expect(await page.title()).toBe(`${title} – Postern`);
      expect(await axeFindings(page, rulesIn[colorScheme])).toEqual([]);
    }
    await page.setViewportSize(screens.phone);
    expect(await page.evaluate(overflow)).toBe(0);
    page.removeAllListeners("request");
    expect([...asked]).toEqual([site.installation.url]);
  });
});

test("the reference of the API has nothing that axe finds wrong by WCAG 2.2 AA, light and dark", async () => {
  const { page } = visitor;
  await page.setViewportSize(screens.desktop);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${site.installation.url}/docs/api`);
    for (const method of ["get", "post", "put", "delete"]) {
      const operation = page.locator(`.opblock-${method}`).first();
      await operation.locator(".opblock-summary-control").click();
      await operation.locator(".responses-inner").waitFor();
    }
    const found = await axeFindings(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);
    expect({ colorScheme, found }).toEqual({ colorScheme, found: [] });
  }
});

test("every link leads to a page and a heading that is there", async () => {
  const contents = new Map<string, string>();
  for (const { name } of pages) contents.set(`/docs/${name}`, await (await get(`/docs/${name}`)).text());
  const links = [...contents].flatMap(([path, content]) =>
    [...content.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => ({ path, href })),
  );
  const isThere = ({ path, href }: (typeof links)[number]): boolean => {
    const [target = "", hash] = href.split("#");
    const content = contents.get(target || path);
    if (content === undefined) return ["/", "/docs", "/docs/api"].includes(href) || href.startsWith("https:");
    return hash === undefined || content.includes(`id="${hash}"`);
  };
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !isThere(link))).toEqual([]);
});

test("pages are served compressed, under a strict policy, and asked for each time", async () => {
  for (const path of ["/docs", "/docs/", "/docs/operating", "/docs/runbooks/dead-events"]) {
    const answer = await get(path, { "accept-encoding": "br" });
    expect([path, answer.status, answer.headers.get("content-encoding")]).toEqual([path, 200, "br"]);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
  }
  expect((await get("/docs/nothing")).status).toBe(404);
  expect((await get("/docs/swagger-ui.css")).status).toBe(200);
});

test("the theme that was chosen in the web application holds here too", async () => {
  const { page } = visitor;
  await page.goto(`${site.installation.url}/docs`);
  await page.evaluate(`localStorage.setItem("postern-theme", "dark")`);
  await page.reload();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
});
