import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { launchBrowser } from "../web/support/browser.ts";
import type { DrawnDashboard } from "./dashboard.ts";

const page = readFileSync(join(import.meta.dirname, "page.html"), "utf8");
const chart = (file: string) => createRequire(import.meta.url).resolve(`uplot/dist/${file}`);

/** Draws dashboards and writes each as a PNG file. @param pathOf by the dashboard's name */
export async function savePictures(
  drawn: readonly DrawnDashboard[],
  pathOf: (name: string) => string,
): Promise<{ path: string; sizeBytes: number }[]> {
  const browser = await launchBrowser();
  try {
    const saved: { path: string; sizeBytes: number }[] = [];
    for (const dashboard of drawn) {
      const shown = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: "UTC" });
      await shown.setContent(page);
      await shown.addStyleTag({ path: chart("uPlot.min.css") });
      await shown.addScriptTag({ path: chart("uPlot.iife.min.js") });
      await shown.evaluate(`draw(${JSON.stringify(dashboard)})`);
      const path = pathOf(dashboard.name);
      await shown.screenshot({ path, fullPage: true });
      saved.push({ path, sizeBytes: statSync(path).size });
    }
    return saved;
  } finally {
    await browser.close();
  }
}
